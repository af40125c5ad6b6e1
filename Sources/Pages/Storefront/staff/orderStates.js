// The states of an order on the staff page.

/**
 * The states by name. `action` is the label of the button that leads there, `pickupAction` that for a pickup if it
 * differs, `done` the end of the toast's text, `lane` the lane of an open order. `isCooked` tells that a rejection
 * wastes the food.
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

/** The states of orders that are not finished, in their order. */
export const openStates = Object.keys(orderStates).filter((state) => orderStates[state].lane);
