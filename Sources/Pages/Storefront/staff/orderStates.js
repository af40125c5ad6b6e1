// The states of an order on the staff page.

/** @typedef {'new' | 'kitchen' | 'outgoing'} LaneName */
/**
 * @typedef {object} StateDescription
 * @property {string} heading
 * @property {string} [action] The label of the button that leads to the state.
 * @property {string} [pickupAction] This label for a pickup, if it differs.
 * @property {string} [done] The end of the toast's text.
 * @property {LaneName} [lane] The lane of an open order.
 * @property {boolean} [isCooked] Whether a rejection wastes the food.
 */

/**
 * The states by name.
 * @type {Record<API.OrderState, StateDescription>}
 */
export const orderStates = {
  placed: {heading: 'New', lane: 'new'},
  accepted: {heading: 'Accepted', action: 'Accept', done: 'is accepted', lane: 'kitchen'},
  preparing: {
    heading: 'In the kitchen', action: 'Start cooking', done: 'is in the kitchen', lane: 'kitchen', isCooked: true,
  },
  on_the_way: {
    heading: 'On the way', action: 'Send out', pickupAction: 'Ready', done: 'is on the way', lane: 'outgoing',
    isCooked: true,
  },
  delivered: {heading: 'Delivered', action: 'Delivered', pickupAction: 'Picked up', done: 'is delivered'},
  cancelled: {heading: 'Cancelled by the guest'},
  rejected: {heading: 'Rejected'},
};

/**
 * Whether a name is that of a state.
 * @type {(name: string) => name is API.OrderState}
 */
export const isOrderState = (name) => Object.hasOwn(orderStates, name);

/** The states of orders that are not finished, in their order. */
export const openStates = Object.keys(orderStates).filter(isOrderState).filter((state) => orderStates[state].lane);
