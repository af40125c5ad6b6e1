// Enter in a field of the checkout never orders: it moves to the next field. Only Enter on the button orders.

const fields = 'input, select, textarea, button[type=submit]';

/** A group of radio buttons is one stop, as it is for Tab. */
function isStop(node, from) {
  if (node.disabled || node.getClientRects().length === 0) return false;
  if (node.type !== 'radio') return true;
  return node.name !== from.name && (node.checked || !node.form.querySelector(`[name="${node.name}"]:checked`));
}

/** Makes Enter in a field of the form go on to the next one, and from the last one to the button. */
export function moveOnEnter(form) {
  function move(event) {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    const all = [...form.querySelectorAll(fields)];
    all.slice(all.indexOf(event.target) + 1).find((node) => isStop(node, event.target))?.focus();
  }
  form.addEventListener('keydown', (event) => event.target.matches('input') && move(event));
  // The key that is pressed down may choose from an open list. Chromium submits the form with the character.
  form.addEventListener('keypress', (event) => event.target.matches('select') && move(event));
}
