// Marks the language of menu texts that are not in the page's language, so that screen readers pronounce them
// correctly. The answer names the menu's language, and each item names its untranslated texts.

let menuLanguage = '';

/**
 * Sets the language of the menu that was read last.
 * @param {string | null} tag
 */
export const setMenuLanguage = (tag) => { menuLanguage = tag ?? menuLanguage; };

/**
 * The `lang` attribute for a text: {lang}, or {} if the text is in the page's language.
 * @param {{languages?: Partial<Record<string, string>>}} thing
 * @param {string} [text]
 */
export function langOf(thing, text = 'title') {
  const tag = thing.languages?.[text] ?? menuLanguage;
  return tag && tag.split('-')[0] !== document.documentElement.lang ? {lang: tag} : {};
}
