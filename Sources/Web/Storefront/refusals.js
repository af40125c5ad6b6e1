// What the checkout refuses of the basket, each with the dish that is meant; what is wrong with the options of a line can be mended from here.
// Used by the checkout's screen.

import {fetched} from './api.js';
import {titleAt} from './changes.js';
import {el} from './dom.js';
import {doing} from './notice.js';

/** A sentence for each error of the server's. */
export const refusals = (errors, basket) => errors.map((error) => {
  const name = titleAt(error.field ?? '', basket ?? {});
  const [, id] = /^lines\/(\d+)\/options/.exec(error.field) ?? [];
  const line = basket?.lines.find(({lineId}) => lineId === Number(id));
  const ofLine = errors.filter(({field}) => field?.startsWith(`lines/${id}/`));
  return el('p.warn', {}, name ? `${name}: ${error.message}` : error.message, line && ofLine[0] === error ? [' ', changing(line, ofLine)] : null);
});

const changing = (line, errors) => el('button.link', {
  type: 'button', 'aria-label': `Change ${line.title}`, 'aria-haspopup': 'dialog',
  onclick: (event) => doing(event.currentTarget, async () => (await fetched(import('./sheet.js'))).askToChange(line, errors)),
}, 'Change it');
