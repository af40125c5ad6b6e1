// The photograph of a dish: a thumbnail beside the title, and a dialog that replaces or removes the photograph.
// The file is uploaded unchanged; the server returns the processed image that guests see.

import {Problem} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {formField} from '../parts/formField.js';
import {picture} from '../parts/picture.js';
import {showToast} from '../parts/toast.js';
import {requestAsStaff} from './authentication.js';

/** @typedef {import('../parts/formField.js').FormField} FormField */
/** @typedef {(changed: API.MenuItem) => void} OnChange */

/** In milliseconds: enough for ten megabytes over a slow line and for the processing. */
const uploadTimeout = 180_000;

/**
 * The button that opens the dialog; `onChange` gets the dish after a change.
 * @param {API.MenuItem} item
 * @param {OnChange} onChange
 */
export const photographButton = (item, onChange) => el('button.photo', {
  type: 'button', 'data-key': `menu ${item.id} photograph`,
  'aria-label': `${item.photograph ? 'Photo' : 'Add a photo'}: ${item.title}`,
  onclick: () => openPhotographDialog(item, onChange),
}, picture(item.imageURL, item.title, {shape: 'thumb', photograph: item.photograph}));

/** @param {API.MenuItem} item @param {OnChange} onChange */
function openPhotographDialog(item, onChange) {
  /** @type {`/v1/staff/menu/${number}/photograph`} */
  const path = `/v1/staff/menu/${item.id}/photograph`;
  /** @type {FormField} */
  const file = formField('photograph', 'A photograph', {
    type: 'file', accept: 'image/jpeg,image/png,image/webp',
    hint: 'JPEG, PNG or WebP, at most 10 MB. It is cropped to 4:3, and its location is removed.',
    onchange: () => file.showError(null),
  });
  const showButton = el('button.button', {type: 'submit'}, 'Show it to guests');
  const removeButton = el('button.button.plain', {type: 'button', onclick: remove}, 'Remove it');
  /** @type {HTMLDialogElement} */
  const dialog = el('dialog.asking.counting', {'aria-labelledby': 'photographing', onclose: () => dialog.remove()},
    el('form', {novalidate: true, onsubmit: submit},
      el('h2', {id: 'photographing'}, item.title),
      picture(item.imageURL, item.title, {eager: true, photograph: item.photograph}), file.node,
      el('div.row', {},
        showButton,
        item.photograph ? removeButton : null,
        el('button.button.plain', {type: 'button', onclick: () => dialog.close()}, 'Cancel'))));

  /** @param {HTMLElement} button @param {() => Promise<API.MenuItem>} work @param {string} outcome */
  async function change(button, work, outcome) {
    if (dialog.querySelector('[aria-busy="true"]')) return;
    button.setAttribute('aria-busy', 'true');
    try {
      const changed = await work();
      dialog.close();
      onChange(changed);
      showToast(`${changed.title} ${outcome}.`);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showError(problem.detail);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    const selected = file.input instanceof HTMLInputElement ? file.input.files?.[0] : null;
    if (!selected) return showError('Choose a file first.');
    // Avoids an upload of more than ten megabytes, which the server would reject.
    if (selected.size > 10_000_000) return showError('The file is larger than 10 MB.');
    const upload = () => requestAsStaff('PUT', path, selected, {timeout: uploadTimeout});
    void change(showButton, upload, 'has a new photo');
  }

  function remove() {
    void change(removeButton, () => requestAsStaff('DELETE', path), 'shows its drawing again');
  }

  /** @param {string} text */
  function showError(text) {
    file.showError(text);
    file.input.focus();
  }

  document.body.append(dialog);
  dialog.showModal();
}
