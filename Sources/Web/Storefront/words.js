// What the page says, in the guest's language: the English sentence itself is the key, and words/ holds a file for each other one, with what the API
// names. early.js has chosen the language before this runs; the staff's page is English. Used by everything that draws.

import {reloadPage} from './parts/reload.js';
import {keep} from './store.js';

const {lang: language, dataset} = document.documentElement;
const others = {de: 'words/de.json', es: 'words/es.json'};
const read = async (file) => {
  const answer = await fetch(new URL(file, import.meta.url)).catch(() => null);
  if (answer?.ok) return answer.json();
  // It can't be had now: the page is English.
  document.documentElement.lang = 'en';
  return {};
};
const {sentences = {}, names = {}, tags = {}} = others[language] ? await read(others[language]) : {};
const plurals = new Intl.PluralRules(language);

const own = navigator.languages.find((tag) => tag.split('-')[0] === language);
/** What Intl writes amounts and moments in: the browser's own kind of the page's language. Staff's is the browser's. */
export const locale = dataset.languages && (own ?? language);
/** What the shop is asked in, as early.js has chosen it; nothing on the staff's page. */
export const asked = dataset.asked;

/** A sentence with its values, written as ICU's messages are: t('{count, plural, one {# dish} other {# dishes}}', {count: 2}). */
export const t = (sentence, values = {}) => filled(sentences[sentence] ?? sentence, values);

const filled = (text, values) => text
  .replace(/\{(\w+), plural, one \{(.*?)\} other \{(.*?)\}\}/g, (all, name, one, many) => (plurals.select(values[name]) === 'one' ? one : many).replace('#', values[name]))
  .replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** What is called by a name of the API's, such as an allergen or a kind of total; `otherwise` is the English. */
export const named = (name, otherwise = name, values = {}) => (names[name] ? filled(names[name], values) : otherwise);

/** The common tags of dishes in the page's language; other tags stay as staff wrote them. */
export const tagName = (tag) => (Object.hasOwn(tags, tag) ? tags[tag] : tag);

/** The sentence of an error or a fault: the server's own are English. */
export function told({code, field, message, params = {}}) {
  // None left is what is sold out.
  const name = code === 'stock_short' && params.available === 0 ? 'item_sold_out' : code;
  return named(names[`${name}.${field}`] ? `${name}.${field}` : name, message, params);
}

const refusals = {
  basket_not_found: 'This basket is gone. Please start a new one.',
  basket_already_ordered: 'This basket has been ordered already.',
  menu_item_not_found: 'This is not on the menu.',
  sale_not_found: 'This offer no longer exists.',
  price_changed: 'A price has changed in the meantime.',
  validation_failed: 'Something is missing or wrong.',
  precondition_failed: 'This was changed somewhere else at the same moment. Please check it and try again.',
};

/** The database's own sentences have straight apostrophes. */
const curly = (text) => text.replace(/([a-z])'([a-z])/gi, '$1’$2');

/** What guests and staff read of a refusal. Most of the server's sentences are written for them; those of some codes are for who writes a program. */
export function wordsOf(status, {code, detail, errors}, seconds) {
  if (names[code]) return named(code, detail, {seconds, ...errors?.[0]?.params});
  if (refusals[code]) return refusals[code];
  // No answer of ours, a proxy's page, say; or a fault that nobody can mend from here.
  if (status === 500 || (!detail && status > 500)) return t('Something went wrong on our side. Please try again in a moment.');
  if (!detail) return t('That did not work.');
  if (code === 'not_found') return 'There is nothing at this address.';
  if (code.startsWith('photograph')) return curly(detail);
  if ([400, 405, 408, 413, 415, 431].includes(status)) return t('We could not understand that. Please reload the page.');
  return curly(detail);
}

/** Puts what stands in the document itself into the guest's language, shows it, and binds the buttons of the languages. */
export function startWords(buttons) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isOurs = (node) => !node.parentElement.closest('[translate=no], noscript');
  while (texts.nextNode()) if (sentences[texts.currentNode.data] && isOurs(texts.currentNode)) texts.currentNode.data = t(texts.currentNode.data);
  for (const node of document.querySelectorAll('[aria-label]')) node.setAttribute('aria-label', t(node.getAttribute('aria-label')));
  const about = document.querySelector('[name=description]');
  about.content = t(about.content);
  const manifest = document.querySelector('[rel=manifest]');
  const {lang} = document.documentElement;
  if (lang !== 'en') manifest.href = manifest.href.replace('app.web', `app.${lang}.web`);
  for (const button of buttons.children) {
    if (button.lang === language) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => {
      keep('language', button.lang);
      reloadPage();
    });
  }
  delete dataset.waiting;
}
