// Texts for the states of an order.

import {t} from '../parts/translation.js';

/**
 * The steps of an order without problems: state, name and sentence.
 * @type {Array<[API.OrderState, string, string]>}
 */
export const orderSteps = [
  ['placed', t('Placed'), t('We have your order.')],
  ['accepted', t('Accepted'), t('The kitchen has accepted your order.')],
  ['preparing', t('Preparing'), t('Your food is on the grill.')],
  ['on_the_way', t('On the way'), t('The courier is on the way to you.')],
  ['delivered', t('Delivered'), t('Enjoy your meal.')],
];
const stepStates = orderSteps.map(([state]) => state);
/**
 * Whether the kitchen has or gets an order in this state.
 * @param {API.OrderState} state
 */
export const isInKitchen = (state) => stepStates.slice(0, stepStates.indexOf('on_the_way')).includes(state);
/**
 * Other texts for pickup.
 * @type {Partial<Record<API.OrderState, [string, string]>>}
 */
const pickup = {on_the_way: [t('Ready'), t('Your order is ready for pickup.')],
  delivered: [t('Picked up'), t('Enjoy your meal.')]};
/**
 * The states of an order that was not completed.
 * @type {Partial<Record<API.OrderState, [string, string]>>}
 */
export const endStates = {
  cancelled: [t('Cancelled'), t('You have cancelled this order.')],
  // An order can be rejected before or after its acceptance.
  rejected: [t('Cancelled by the restaurant'), t('We are sorry: we can’t make this order.')],
};

/**
 * The name and the sentence of a state, by default of the order's own. An unknown state is its own name.
 * @param {Pick<API.Order, 'fulfilment' | 'state'>} order
 * @param {API.OrderState} [state]
 * @returns {string[]}
 */
export const stateText = ({fulfilment, state: own}, state = own) =>
  endStates[state] || (fulfilment === 'pickup' && pickup[state])
    || orderSteps.find(([name]) => name === state)?.slice(1)
    || [state, ''];
