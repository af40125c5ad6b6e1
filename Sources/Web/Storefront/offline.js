// Starts the worker that keeps the page's files for when there is no network. Called by app.js when the first view is over.

const {href} = new URL('worker.js', import.meta.url);
// The one policy that the page's Content-Security-Policy allows, and the one address that it trusts.
const policy = globalThis.trustedTypes?.createPolicy('worker', {createScriptURL: () => href});

/** None where the page is not served securely. One that can't be had now is asked for at the next visit; its address is another with each version, so
 *  that it need not be asked for again. */
export function keepFiles() {
  navigator.serviceWorker?.register(policy?.createScriptURL('') ?? href, {scope: '/', updateViaCache: 'all'}).catch(() => {});
}
