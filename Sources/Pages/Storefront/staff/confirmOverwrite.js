// Asks before a form that was open for a while overwrites a colleague's change.

import {askToConfirm} from '../parts/confirmation.js';

/**
 * Resolves to whether the form may save. Without a change it may; otherwise the member decides. `currentText` describes
 * the current state.
 * @param {boolean} isChanged
 * @param {string} currentText
 */
export const confirmOverwrite = async (isChanged, currentText) => !isChanged
  || askToConfirm('A colleague has changed this in the meantime', currentText, {yes: 'Save mine', no: 'Keep theirs'});
