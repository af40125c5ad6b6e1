// A dish's photograph: what guests see stands small beside its title, and a tap on it opens a dialog to choose a file, or to take the photograph away.
// The file goes to the server as it is, and what comes back is what guests get. Used by stock.js.

import {el} from '../dom.js';
import {field} from '../field.js';
import {notice} from '../notice.js';
import {picture} from '../picture.js';
import {askStaff} from './door.js';

/** Ten megabytes over a slow line, and the work on it. */
const patience = 180_000;

/** The button that opens the dialog; `done` has the dish as it is then. */
export const photographButton = (item, done) => el('button.photo', {
  type: 'button', 'data-key': `menu ${item.id} photograph`, 'aria-label': `${item.photograph ? 'Photo' : 'Add a photo'}: ${item.title}`,
  onclick: () => askPhotograph(item, done),
}, picture(item.imageURL, item.title, {shape: 'thumb', photograph: item.photograph}));

function askPhotograph(item, done) {
  const path = `/v1/staff/menu/${item.id}/photograph`;
  const file = field('photograph', 'A photograph', {
    type: 'file', accept: 'image/jpeg,image/png,image/webp',
    hint: 'JPEG, PNG or WebP, at most 10 MB. It is cropped to 4:3, and its location is removed.', onchange: () => file.showError(null),
  });
  const dialog = el('dialog.asking.counting', {'aria-labelledby': 'photographing', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'photographing'}, item.title),
      picture(item.imageURL, item.title, {eager: true, photograph: item.photograph}), file.node,
      el('div.row', {},
        el('button.button', {type: 'submit'}, 'Show it to guests'),
        item.photograph ? el('button.button.plain', {type: 'button', onclick: takeAway}, 'Remove it') : null,
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  async function change(button, work, words) {
    if (dialog.querySelector('[aria-busy="true"]')) return;
    button.setAttribute('aria-busy', 'true');
    try {
      const changed = await work();
      dialog.close();
      done(changed);
      notice(`${changed.title} ${words}.`);
    } catch (problem) {
      if (problem.code === undefined) throw problem;
      refuse(problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  function submit(event) {
    event.preventDefault();
    const [chosen] = file.input.files;
    if (!chosen) return refuse('Choose a file first.');
    // The server would say the same, after ten megabytes.
    if (chosen.size > 10_000_000) return refuse('The file is larger than 10 MB.');
    change(event.submitter, () => askStaff('PUT', path, chosen, {timeout: patience}), 'has a new photo');
  }

  function takeAway(event) {
    change(event.currentTarget, () => askStaff('DELETE', path), 'shows its drawing again');
  }

  function refuse(why) {
    file.showError(why);
    file.input.focus();
  }

  document.body.append(dialog);
  dialog.showModal();
}
