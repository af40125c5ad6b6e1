// Starts the guest page: routes, the basket's counter, the theme and the error channel.

import {basket, startBasket, totalCount} from './basket/basket.js';
import {startBasketBar} from './basket/basketBar.js';
import {favouritesScreen} from './menu/favouritesScreen.js';
import {homeScreen} from './menu/homeScreen.js';
import {itemScreen} from './menu/itemScreen.js';
import {menuScreen} from './menu/menuScreen.js';
import {saleScreen} from './menu/saleScreen.js';
import {startFaultMonitor} from './parts/faultMonitor.js';
import {playIntroOnEntering} from './parts/introAnimation.js';
import {loadPart} from './parts/loadPart.js';
import {reportUnexpectedErrors} from './parts/reloadOffer.js';
import {required} from './parts/required.js';
import {addRoute, preloadScreen, startRouter} from './parts/router.js';
import {lazyScreen, notFoundScreen} from './parts/screenLoading.js';
import {registerWorker} from './parts/serviceWorker.js';
import {startStatusBanner} from './parts/statusBanner.js';
import {loadValue, onChangeInOtherTab} from './parts/storage.js';
import {startTheme} from './parts/theme.js';
import {loadTimeZone, showZoneNote} from './parts/timeZone.js';
import {startTranslation, t} from './parts/translation.js';

addRoute('#/', 'home', homeScreen);
addRoute('#/menu', 'menu', menuScreen);
addRoute('#/menu/:category', 'menu', menuScreen);
addRoute('#/items/:id', 'menu', itemScreen);
addRoute('#/sales/:id', 'home', saleScreen);
addRoute('#/favourites', 'favourites', favouritesScreen);
addRoute('#/basket', 'basket',
  lazyScreen(t('Basket'), 'basket/basketScreen', () => import('./basket/basketScreen.js')));
addRoute('#/checkout', 'basket',
  lazyScreen(t('Checkout'), 'checkout/checkoutScreen', () => import('./checkout/checkoutScreen.js')));
addRoute('#/orders', 'orders',
  lazyScreen(t('Your orders'), 'orders/orderListScreen', () => import('./orders/orderListScreen.js')));
addRoute('#/about', 'about',
  lazyScreen(t('About us'), 'menu/aboutScreen', () => import('./menu/aboutScreen.js')));
addRoute('#/orders/:id', 'orders',
  lazyScreen(t('Your order'), 'orders/orderScreen', () => import('./orders/orderScreen.js')));

const count = required(document.getElementById('count'));
basket.watch(() => {
  const many = totalCount();
  if (count.hidden && many > 0) preloadScreen('#/basket');
  count.hidden = many === 0;
  count.textContent = String(many);
  count.closest('a')
    ?.setAttribute('aria-label', many ? t('Basket, {count, plural, one {# item} other {# items}}', {count: many})
      : t('Basket'));
});

/** Registers the service worker two seconds after the page has loaded, so that it does not delay the first view. */
function keepPage() {
  const soon = () => setTimeout(registerWorker, 2_000);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon);
}

/**
 * Resumes the order that an earlier page has left pending, or follows the order that another tab sends.
 * @param {boolean} isOtherTabs
 */
function resumeOrder(isOtherTabs) {
  loadPart('checkout/startSending', () => import('./checkout/startSending.js'))
    .then(({startSending}) => startSending({isOtherTabs}), () => setTimeout(() => resumeOrder(isOtherTabs), 5_000));
}

// The default action of the skip link would change the hash, which selects the screen.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  required(document.getElementById('main')).focus();
});

reportUnexpectedErrors();
startTranslation(required(document.getElementById('languages')));
startTheme(required(document.getElementById('theme')));
startStatusBanner(required(document.getElementById('banner')));
startBasketBar(required(document.getElementById('bar')));
playIntroOnEntering();
startFaultMonitor();
void loadTimeZone().then(() => showZoneNote(required(document.getElementById('zone'))));
void startBasket();
keepPage();
startRouter(notFoundScreen);
if (loadValue('attempt')) resumeOrder(false);
onChangeInOtherTab('attempt', () => resumeOrder(true));
// Drops the early responses that the first screen has not taken: they would be outdated on a later screen.
globalThis.early?.clear();
