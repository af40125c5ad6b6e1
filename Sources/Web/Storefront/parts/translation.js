// The texts of the guest page in the guest's language. The English sentence is the key. For each other language, words/
// has a file that also translates names of the API. early.js has set the language before. The staff page is English.

import {assetAddress} from './assetAddress.js';
import {reloadPage} from './reload.js';
import {saveValue} from './storage.js';

const {lang: language, dataset} = document.documentElement;
const dictionaryFiles = {de: 'words/de.json', es: 'words/es.json'};
const loadDictionary = async (file) => {
  const answer = await fetch(assetAddress(file)).catch(() => null);
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
 */
export const t = (sentence, values = {}) => interpolate(sentences[sentence] ?? sentence, values);

const interpolate = (text, values) => text
  .replace(/\{(\w+), plural, one \{(.*?)\} other \{(.*?)\}\}/g,
    (_match, name, singular, plural) => (plurals.select(values[name]) === 'one' ? singular : plural)
      .replace('#', values[name]))
  .replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** Translates a name of the API, such as an allergen or a kind of total. `fallback` is the English text. */
export const translatedName = (name, fallback = name, values = {}) =>
  (names[name] ? interpolate(names[name], values) : fallback);

/** Translates a common tag; other tags stay as staff wrote them. */
export const tagName = (tag) => (Object.hasOwn(tags, tag) ? tags[tag] : tag);

/** The text of an error or a fault; the server's own text is English. */
export function errorText({code, field, message, params = {}}) {
  // A remaining stock of zero is the same as sold out.
  const name = code === 'stock_short' && params.available === 0 ? 'item_sold_out' : code;
  return translatedName(names[`${name}.${field}`] ? `${name}.${field}` : name, message, params);
}

const problemTexts = {
  basket_not_found: 'This basket is gone. Please start a new one.',
  basket_already_ordered: 'This basket has been ordered already.',
  menu_item_not_found: 'This is not on the menu.',
  sale_not_found: 'This offer no longer exists.',
  price_changed: 'A price has changed in the meantime.',
  validation_failed: 'Something is missing or wrong.',
  precondition_failed: 'This was changed somewhere else at the same moment. Please check it and try again.',
};

/** Texts from the database have straight apostrophes. */
const withCurlyApostrophes = (text) => text.replace(/([a-z])'([a-z])/gi, '$1’$2');

/**
 * The text of a problem for guests and staff. Most texts of the server are written for them; those of some codes are
 * for developers.
 */
export function problemText(status, {code, detail, errors}, seconds) {
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

/** Translates the document, shows it, and connects the language buttons. */
export function startTranslation(buttons) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isTranslatable = (node) => !node.parentElement.closest('[translate=no], noscript');
  while (texts.nextNode()) if (sentences[texts.currentNode.data] && isTranslatable(texts.currentNode)) {
    texts.currentNode.data = t(texts.currentNode.data);
  }
  for (const node of document.querySelectorAll('[aria-label]')) {
    node.setAttribute('aria-label', t(node.getAttribute('aria-label')));
  }
  const about = document.querySelector('[name=description]');
  about.content = t(about.content);
  const manifest = document.querySelector('[rel=manifest]');
  const {lang} = document.documentElement;
  if (lang !== 'en') manifest.href = manifest.href.replace('app.web', `app.${lang}.web`);
  for (const button of buttons.children) {
    if (button.lang === language) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => {
      saveValue('language', button.lang);
      reloadPage();
    });
  }
  delete dataset.waiting;
}
