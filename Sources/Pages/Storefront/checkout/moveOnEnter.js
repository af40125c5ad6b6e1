// Enter in a field of the checkout moves to the next field and never orders. Only Enter on the button orders.

const fields = 'input, select, textarea, button[type=submit]';

/**
 * Whether Enter can move the focus to this node. A group of radio buttons is one stop, as with Tab.
 * @param {HTMLInputElement} node
 * @param {HTMLInputElement} from
 */
function isStop(node, from) {
  if (node.disabled || node.getClientRects().length === 0) return false;
  if (node.type !== 'radio') return true;
  return node.name !== from.name && (node.checked || !node.form.querySelector(`[name="${node.name}"]:checked`));
}

/**
 * Lets Enter in a field move the focus to the next field, and from the last one to the button.
 * @param {HTMLFormElement} form
 */
export function moveOnEnter(form) {
  /** @param {KeyboardEvent} event */
  function moveFocus(event) {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    const all = [...form.querySelectorAll(fields)];
    all.slice(all.indexOf(event.target) + 1).find((node) => isStop(node, event.target))?.focus();
  }
  form.addEventListener('keydown', (event) => event.target.matches('input') && moveFocus(event));
  // A keydown in a select may choose from the open list, and Chromium submits the form on its keypress.
  form.addEventListener('keypress', (event) => event.target.matches('select') && moveFocus(event));
}
