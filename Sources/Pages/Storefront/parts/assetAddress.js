// The addresses of the page's files. They are below a path with the version, which only the page knows.

/** The address of early.js, which both pages load from the root folder of the assets. */
/** @type {HTMLScriptElement | null} */
const script = document.querySelector('script[src$="/early.js"]');
const root = script?.src;

/**
 * The address of a file, whose path is relative to the root folder of the assets.
 * @type {(path: string) => string}
 */
export const assetAddress = (path) => new URL(path, root).href;
