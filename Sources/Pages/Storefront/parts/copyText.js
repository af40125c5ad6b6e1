// Copies a text. `navigator.clipboard` is missing if the page is not served securely.

/**
 * Resolves to whether the text was copied.
 * @param {string} text
 */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => copySelection(text));
  return copySelection(text);
}

/**
 * The older method: selects the text in a temporary field.
 * @param {string} text
 */
function copySelection(text) {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  field.setAttribute('aria-hidden', 'true');
  document.body.append(field);
  field.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand('copy');
  } catch {
    // The caller shows the text instead.
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({preventScroll: true});
  return isCopied;
}
