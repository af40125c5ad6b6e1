// The storefront starts here: routes to screens, the basket's counter, the theme, the error channel.
// Read next: router.js, api.js, then screens/home.js.

import {startBanner} from './banner.js';
import {basket, startBasket, totalCount} from './basket.js';
import {startCondition} from './condition.js';
import {playIntroOnEntering} from './intro.js';
import {route, startRouter} from './router.js';
import {basketScreen} from './screens/basket.js';
import {favouritesScreen} from './screens/favourites.js';
import {homeScreen} from './screens/home.js';
import {itemScreen} from './screens/item.js';
import {later} from './screens/loading.js';
import {menuScreen} from './screens/menu.js';
import {orderScreen} from './screens/order.js';
import {ordersScreen} from './screens/orders.js';
import {saleScreen} from './screens/sale.js';
import {startTheme} from './theme.js';

route('#/', 'home', homeScreen);
route('#/menu', 'menu', menuScreen);
route('#/menu/:category', 'menu', menuScreen);
route('#/items/:id', 'menu', itemScreen);
route('#/sales/:id', 'home', saleScreen);
route('#/favourites', 'favourites', favouritesScreen);
route('#/basket', 'basket', basketScreen);
route('#/checkout', 'basket', later('Checkout', async () => (await import('./screens/checkout.js')).checkoutScreen));
route('#/orders', 'orders', ordersScreen);
route('#/orders/:id', 'orders', orderScreen);

const count = document.getElementById('count');
basket.watch(() => {
  const many = totalCount();
  count.hidden = many === 0;
  count.textContent = String(many);
  count.closest('a').setAttribute('aria-label', many ? `Basket, ${many} in it` : 'Basket');
});

// The skip link would change the hash, which is the router's.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main').focus();
});

startTheme(document.getElementById('theme'));
startBanner(document.getElementById('banner'));
playIntroOnEntering();
startCondition();
startBasket();
startRouter();
