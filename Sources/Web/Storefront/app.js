// The storefront starts here: routes to screens, the basket's counter, the theme, the error channel.
// Read next: router.js, api.js, then screens/home.js.

import {startBanner} from './banner.js';
import {startBar} from './bar.js';
import {basket, startBasket, totalCount} from './basket.js';
import {startCondition} from './condition.js';
import {playIntroOnEntering} from './intro.js';
import {keepFiles} from './offline.js';
import {route, startRouter} from './router.js';
import {basketScreen} from './screens/basket.js';
import {favouritesScreen} from './screens/favourites.js';
import {homeScreen} from './screens/home.js';
import {itemScreen} from './screens/item.js';
import {later, lostScreen} from './screens/loading.js';
import {menuScreen} from './screens/menu.js';
import {saleScreen} from './screens/sale.js';
import {startTheme} from './theme.js';
import {startWords, t} from './words.js';

route('#/', 'home', homeScreen);
route('#/menu', 'menu', menuScreen);
route('#/menu/:category', 'menu', menuScreen);
route('#/items/:id', 'menu', itemScreen);
route('#/sales/:id', 'home', saleScreen);
route('#/favourites', 'favourites', favouritesScreen);
route('#/basket', 'basket', basketScreen);
route('#/checkout', 'basket', later(t('Checkout'), async () => (await import('./screens/checkout.js')).checkoutScreen));
route('#/orders', 'orders', later(t('Your orders'), async () => (await import('./screens/orders.js')).ordersScreen));
route('#/about', 'about', later(t('About us'), async () => (await import('./screens/about.js')).aboutScreen));
route('#/orders/:id', 'orders', later(t('Your order'), async () => (await import('./screens/order.js')).orderScreen));

const count = document.getElementById('count');
basket.watch(() => {
  const many = totalCount();
  count.hidden = many === 0;
  count.textContent = String(many);
  count.closest('a').setAttribute('aria-label', many ? t('Basket, {count} in it', {count: many}) : t('Basket'));
});

/** Keeps the page's files for when there is no network, when the first view is over and the line is free. */
function keepPage() {
  const soon = () => setTimeout(keepFiles, 2_000);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon);
}

// The skip link would change the hash, which is the router's.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main').focus();
});

startWords(document.getElementById('languages'));
startTheme(document.getElementById('theme'));
startBanner(document.getElementById('banner'));
startBar(document.getElementById('bar'));
playIntroOnEntering();
startCondition();
startBasket();
keepPage();
startRouter(lostScreen);
// The first screen has taken what it needs; what is left would be old by the time another wants it.
globalThis.early?.clear();
