// Registers the service worker that caches the page's files for offline use.

import {assetAddress} from './assetAddress.js';

const workerAddress = assetAddress('worker.js');
// The Content-Security-Policy allows only this policy of Trusted Types, and the policy returns only this address.
const policy = globalThis.trustedTypes?.createPolicy('worker', {createScriptURL: () => workerAddress});

/**
 * Does nothing if the page is not served securely. After a failure the next visit tries again. Each version has its own
 * address, so no update check is needed.
 */
export function registerWorker() {
  navigator.serviceWorker?.register(policy?.createScriptURL('') ?? workerAddress, {scope: '/', updateViaCache: 'all'})
    .catch(() => {});
}
