// The storefront starts here: routes to screens, the basket's counter, the theme, the error channel.
// Read next: router.js, api.js, then screens/home.js.

import {startBanner} from './banner.js';
import {startBar} from './bar.js';
import {basket, startBasket, totalCount} from './basket.js';
import {startCondition} from './condition.js';
import {playIntroOnEntering} from './intro.js';
import {keepFiles} from './offline.js';
import {loadPart} from './parts/loadPart.js';
import {reportUnexpectedErrors} from './parts/reloadOffer.js';
import {showZoneNote, zoneIsRead} from './parts/timeZone.js';
import {route, startRouter} from './router.js';
import {favouritesScreen} from './screens/favourites.js';
import {homeScreen} from './screens/home.js';
import {itemScreen} from './screens/item.js';
import {later, lostScreen} from './screens/loading.js';
import {menuScreen} from './screens/menu.js';
import {saleScreen} from './screens/sale.js';
import {kept, onOtherTab} from './store.js';
import {startTheme} from './theme.js';
import {startWords, t} from './words.js';

route('#/', 'home', homeScreen);
route('#/menu', 'menu', menuScreen);
route('#/menu/:category', 'menu', menuScreen);
route('#/items/:id', 'menu', itemScreen);
route('#/sales/:id', 'home', saleScreen);
route('#/favourites', 'favourites', favouritesScreen);
route('#/basket', 'basket', later(t('Basket'), 'screens/basket', async () => (await import('./screens/basket.js')).basketScreen));
route('#/checkout', 'basket', later(t('Checkout'), 'screens/checkout', async () => (await import('./screens/checkout.js')).checkoutScreen));
route('#/orders', 'orders', later(t('Your orders'), 'screens/orders', async () => (await import('./screens/orders.js')).ordersScreen));
route('#/about', 'about', later(t('About us'), 'screens/about', async () => (await import('./screens/about.js')).aboutScreen));
route('#/orders/:id', 'orders', later(t('Your order'), 'screens/order', async () => (await import('./screens/order.js')).orderScreen));

const count = document.getElementById('count');
basket.watch(() => {
  const many = totalCount();
  // The screen that comes next, so that it opens at once.
  if (count.hidden && many > 0) loadPart('screens/basket', () => import('./screens/basket.js')).catch(() => {});
  count.hidden = many === 0;
  count.textContent = String(many);
  count.closest('a').setAttribute('aria-label', many ? t('Basket, {count, plural, one {# item} other {# items}}', {count: many}) : t('Basket'));
});

/** Keeps the page's files for when there is no network, when the first view is over and the line is free. */
function keepPage() {
  const soon = () => setTimeout(keepFiles, 2_000);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon);
}

/** Resumes the order that an earlier page has left pending, or follows the one that another tab sends. */
function resumeOrder(isOtherTabs) {
  loadPart('checkout/sending', () => import('./checkout/sending.js'))
    .then(({startSending}) => startSending({isOtherTabs}), () => setTimeout(() => resumeOrder(isOtherTabs), 5_000));
}

// The skip link would change the hash, which is the router's.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main').focus();
});

reportUnexpectedErrors();
startWords(document.getElementById('languages'));
startTheme(document.getElementById('theme'));
startBanner(document.getElementById('banner'));
startBar(document.getElementById('bar'));
playIntroOnEntering();
startCondition();
zoneIsRead().then(() => showZoneNote(document.getElementById('zone')));
startBasket();
keepPage();
startRouter(lostScreen);
if (kept('attempt')) resumeOrder(false);
onOtherTab('attempt', () => resumeOrder(true));
// The first screen has taken what it needs; what is left would be old by the time another wants it.
globalThis.early?.clear();
