// Enter in a field of the checkout moves to the next field and never orders. Only Enter on the button orders.

const fields = 'input, select, textarea, button[type=submit]';

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement} Control */

/**
 * Whether Enter can move the focus to this node. A group of radio buttons is one stop, as with Tab.
 * @param {Control} node
 * @param {Control} from
 */
function isStop(node, from) {
  if (node.disabled || node.getClientRects().length === 0) return false;
  if (!(node instanceof HTMLInputElement) || node.type !== 'radio') return true;
  return node.name !== from.name && (node.checked || !node.form?.querySelector(`[name="${node.name}"]:checked`));
}

/**
 * Lets Enter in a field move the focus to the next field, and from the last one to the button.
 * @param {HTMLFormElement} form
 */
export function moveOnEnter(form) {
  /** @param {KeyboardEvent} event @param {Control} from */
  function moveFocus(event, from) {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    /** @type {NodeListOf<Control>} */
    const nodes = form.querySelectorAll(fields);
    const all = [...nodes];
    all.slice(all.indexOf(from) + 1).find((node) => isStop(node, from))?.focus();
  }
  form.addEventListener('keydown',
    (event) => event.target instanceof HTMLInputElement && moveFocus(event, event.target));
  // A keydown in a select may choose from the open list, and Chromium submits the form on its keypress.
  form.addEventListener('keypress',
    (event) => event.target instanceof HTMLSelectElement && moveFocus(event, event.target));
}
