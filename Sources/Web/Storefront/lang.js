// What staff's texts are in where that is another language than the page's, for who has the page read aloud: the answer says what the menu is in, and
// a thing names those of its texts that nobody has translated. Told by api.js; used by what draws dishes, options, categories, sales and coupons.

let menus = '';

/** What the menu that was read last is in. */
export const menuIsIn = (tag) => { menus = tag ?? menus; };

/** The attribute of an element that holds a thing's text: {lang}, or nothing where it is in the page's own language. */
export function langOf(thing, text = 'title') {
  const tag = thing.languages?.[text] ?? menus;
  return tag && tag.split('-')[0] !== document.documentElement.lang ? {lang: tag} : {};
}
