// The shop's address, imprint and privacy statement.

import {read} from '../parts/api.js';
import {el, replaceChildren} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {phoneLink} from '../parts/phoneLink.js';
import {setTitle} from '../parts/router.js';
import {loadScreen} from '../parts/screenLoading.js';
import {t} from '../parts/translation.js';

/** @typedef {import('../parts/router.js').Route} Route */

/** The data that the device stores, and for how long. */
const storedData = [
  t('This page uses no cookies, no advertising and no tracking.'),
  t('Your device stores your basket, your favourites and your display settings.'),
  t('It stores a link to each order until one day after it was due.'),
  t('It stores your details, and orders for longer, only if you ask it to, and until you delete them.'),
].join(' ');
const pendingOrderData =
  t('When you send an order, your device stores it with your details until we have answered, for one day at most.');

/** @param {string} heading @param {...(import('../parts/dom.js').Child)} content */
const part = (heading, ...content) => el('section.part', {}, el('h2', {}, heading), content);

/** @param {HTMLElement} container @param {Route} route */
export function aboutScreen(container, route) {
  setTitle(t('About us'), {silent: route.isFirst});
  const load = async () => {
    const shop = await read('/v1/shop');
    const texts = {languages: shop.textLanguages};
    return () => {
      replaceChildren(container, el('h1', {}, shop.name), el('div.columns', {},
        shop.address || shop.phone ? part(t('Where to find us'),
          el('address', {}, shop.address && el('p', {}, shop.address),
            shop.phone && el('p', {}, phoneLink(shop.phone)))) : null,
        shop.imprint && part(t('Imprint'), el('p', langOf(texts, 'imprint'), shop.imprint)),
        part(t('Privacy'), shop.privacy && el('p', langOf(texts, 'privacy'), shop.privacy),
          el('p.quiet', {}, storedData), el('p.quiet', {}, pendingOrderData),
          el('p', {}, el('a', {href: '#/orders'}, t('Your orders'))))));
    };
  };
  return loadScreen(container, route, () => replaceChildren(container, el('h1', {}, t('About us'))), load);
}
