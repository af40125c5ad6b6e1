// Waits.

/** Resolves after a number of milliseconds. */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
