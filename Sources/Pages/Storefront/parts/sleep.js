// Waits.

/**
 * Resolves after a number of milliseconds.
 * @type {(milliseconds: number) => Promise<void>}
 */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
