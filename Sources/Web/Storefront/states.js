// The states of an order in words. Used by the order's screen and the list of orders.

import {t} from './words.js';

/** The steps of an order that goes well, in their order: state, name, and a sentence. */
export const steps = [
  ['placed', t('Placed'), t('We have your order.')], ['accepted', t('Accepted'), t('The kitchen has accepted your order.')],
  ['preparing', t('Preparing'), t('Your food is on the grill.')], ['on_the_way', t('On the way'), t('The courier is on the way to you.')], ['delivered', t('Delivered'), t('Enjoy your meal.')],
];
/** What is called otherwise where the guest comes for it. */
const pickup = {on_the_way: [t('Ready'), t('Your order is ready for pickup.')], delivered: [t('Picked up'), t('Enjoy your meal.')]};
/** The states that end it otherwise. */
export const ends = {
  cancelled: [t('Cancelled'), t('You have cancelled this order.')],
  // An order can be rejected before and after its acceptance.
  rejected: [t('Cancelled by the restaurant'), t('We are sorry: we can’t make this order.')],
};

/** The name of a state and a sentence on it; of the one that the order is in, if none is named. One that this page does not know is its own name. */
export const stateWords = ({fulfilment, state: own}, state = own) =>
  ends[state] || (fulfilment === 'pickup' && pickup[state]) || steps.find(([one]) => one === state)?.slice(1) || [state, ''];
