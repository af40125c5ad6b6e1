// Who one orders from: the shop's own words, and what this page keeps. Opened from the footer.

import {read} from '../api.js';
import {el, fill} from '../dom.js';
import {langOf} from '../lang.js';
import {phoneLink} from '../phone.js';
import {title} from '../router.js';
import {t} from '../words.js';
import {loading} from './loading.js';

const part = (heading, ...content) => el('section.part', {}, el('h2', {}, heading), content);

export function aboutScreen(place, route) {
  title(t('About us'), {silent: route.isFirst});
  const load = async () => {
    const shop = await read('/v1/shop');
    const texts = {languages: shop.textLanguages};
    return () => {
      fill(place, el('h1', {}, shop.name), el('div.columns', {},
        shop.address || shop.phone ? part(t('Where to find us'),
          el('address', {}, shop.address && el('p', {}, shop.address),
            shop.phone && el('p', {}, phoneLink(shop.phone)))) : null,
        shop.imprint && part(t('Imprint'), el('p', langOf(texts, 'imprint'), shop.imprint)),
        part(t('Privacy'), shop.privacy && el('p', langOf(texts, 'privacy'), shop.privacy),
          el('p.quiet', {}, t('This page uses no cookies, no advertising and no tracking. Your device stores your basket, your favourites and your display settings. It stores a link to each order until one day after it was due. It stores your details, and orders for longer, only if you ask it to, and until you delete them.')),
          el('p.quiet', {}, t('When you send an order, your device stores it with your details until we have answered, for one day at most.')),
          el('p', {}, el('a', {href: '#/orders'}, t('Your orders'))))));
    };
  };
  return loading(place, route, () => fill(place, el('h1', {}, t('About us'))), load);
}
