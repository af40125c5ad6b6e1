// Asks before a form that was open for a while overwrites what a colleague has saved meanwhile.

import {question} from '../question.js';

/** Resolves to whether the form may save: at once if nothing has changed, else as the member answers. `words` says what
 *  holds now. */
export const mayOverwrite = async (isChanged, words) => !isChanged
  || question('A colleague has changed this in the meantime', words, {yes: 'Save mine', no: 'Keep theirs'});
