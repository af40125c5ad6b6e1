// The texts of the guest page in the guest's language. The English sentence is the key. For each other language, words/
// has a file that also translates names of the API. early.js has set the language before. The staff page is English.

import {assetAddress} from './assetAddress.js';
import {reloadPage} from './reload.js';
import {saveValue} from './storage.js';

/** @typedef {Record<string, string>} Dictionary */
/** @typedef {Record<string, unknown>} Values */

const {lang: language, dataset} = document.documentElement;
/** @type {Record<string, string>} */
const dictionaryFiles = {de: 'words/de.json', es: 'words/es.json'};
/** @param {string} file @returns {Promise<{sentences?: Dictionary, names?: Dictionary, tags?: Dictionary}>} */
const loadDictionary = async (file) => {
  const address = assetAddress(file);
  const answer = await (globalThis.early?.get(address) ?? fetch(address)).catch(() => null);
  if (answer?.ok) return answer.json();
  // The dictionary cannot be loaded: the page stays English.
  document.documentElement.lang = 'en';
  return {};
};
const {sentences = {}, names = {}, tags = {}} = dictionaryFiles[language]
  ? await loadDictionary(dictionaryFiles[language]) : {};
const plurals = new Intl.PluralRules(language);

const browserLocale = navigator.languages.find((tag) => tag.split('-')[0] === language);
/** The locale for Intl: the browser's variant of the page's language. On the staff page it is the browser's own. */
export const locale = dataset.languages && (browserLocale ?? language);
/** The language of the API requests, set by early.js; undefined on the staff page. */
export const acceptLanguage = dataset.asked;

/**
 * Translates a sentence and inserts values, with ICU's syntax: t('{count, plural, one {# dish} other {# dishes}}',
 * {count: 2}).
 * @param {string} sentence
 * @param {Values} [values]
 */
export const t = (sentence, values = {}) => interpolate(sentences[sentence] ?? sentence, values);

/** @param {string} text @param {Values} values */
const interpolate = (text, values) => text
  .replace(/\{(\w+), plural, one \{(.*?)\} other \{(.*?)\}\}/g,
    (_match, name, singular, plural) => (plurals.select(Number(values[name])) === 'one' ? singular : plural)
      .replace('#', String(values[name])))
  .replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));

/**
 * Translates a name of the API, such as an allergen or a kind of total. `fallback` is the English text.
 * @param {string} name
 * @param {string} [fallback]
 * @param {Values} [values]
 */
export const translatedName = (name, fallback = name, values = {}) =>
  (names[name] ? interpolate(names[name], values) : fallback);

/**
 * Translates a common tag; other tags stay as staff wrote them.
 * @param {string} tag
 */
export const tagName = (tag) => (Object.hasOwn(tags, tag) ? tags[tag] : tag);

/**
 * The text of an error or a fault; the server's own text is English.
 * @param {{code: string, field?: string, message: string, params?: Values}} error
 */
export function errorText({code, field, message, params = {}}) {
  // A remaining stock of zero is the same as sold out.
  const name = code === 'stock_short' && params.available === 0 ? 'item_sold_out' : code;
  return translatedName(names[`${name}.${field}`] ? `${name}.${field}` : name, message, params);
}

/** @type {Record<string, string>} */
const problemTexts = {
  basket_not_found: 'This basket is gone. Please start a new one.',
  basket_already_ordered: 'This basket has been ordered already.',
  menu_item_not_found: 'This is not on the menu.',
  sale_not_found: 'This offer no longer exists.',
  price_changed: 'A price has changed in the meantime.',
  validation_failed: 'Something is missing or wrong.',
  precondition_failed: 'This was changed somewhere else at the same moment. Please check it and try again.',
};

/**
 * Texts from the database have straight apostrophes.
 * @param {string} text
 */
const withCurlyApostrophes = (text) => text.replace(/([a-z])'([a-z])/gi, '$1’$2');

/**
 * The text of a problem for guests and staff. Most texts of the server are written for them; those of some codes are
 * for developers.
 * @param {number} status
 * @param {Partial<API.Problem>} problem
 * @param {number} seconds
 */
export function problemText(status, {code: name, detail, errors}, seconds) {
  /** Missing if a proxy has answered. @type {string} */
  const code = name ?? '';
  if (names[code]) return translatedName(code, detail, {seconds, ...errors?.[0]?.params});
  if (problemTexts[code]) return problemTexts[code];
  // A proxy's page, or a fault that the guest cannot correct.
  if (status === 500 || (!detail && status > 500)) {
    return t('Something went wrong on our side. Please try again in a moment.');
  }
  if (!detail) return t('The request failed. Please try again.');
  if (code === 'not_found') return 'This page does not exist.';
  if (code.startsWith('photograph')) return withCurlyApostrophes(detail);
  if ([400, 405, 408, 413, 415, 431].includes(status)) {
    return t('Something was wrong with this request. Please reload the page.');
  }
  return withCurlyApostrophes(detail);
}

/**
 * Translates the document, shows it, and connects the language buttons.
 * @param {HTMLElement} buttons
 */
export function startTranslation(buttons) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  /** @param {Node} node */
  const isTranslatable = (node) => !node.parentElement?.closest('[translate=no], noscript');
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (node instanceof Text && sentences[node.data] && isTranslatable(node)) node.data = t(node.data);
  }
  for (const node of document.querySelectorAll('[aria-label]')) {
    node.setAttribute('aria-label', t(node.getAttribute('aria-label') ?? ''));
  }
  /** @type {HTMLMetaElement | null} */
  const about = document.querySelector('[name=description]');
  if (about) about.content = t(about.content);
  /** @type {HTMLLinkElement | null} */
  const manifest = document.querySelector('[rel=manifest]');
  const {lang} = document.documentElement;
  if (lang !== 'en' && manifest) manifest.href = manifest.href.replace('app.web', `app.${lang}.web`);
  for (const button of buttons.querySelectorAll('button')) {
    if (button.lang === language) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => {
      saveValue('language', button.lang);
      reloadPage();
    });
  }
  delete dataset.waiting;
}
