// The basket: single dishes, sets and the total. Quantities show the taps at once; amounts are the server's, and pale
// until they arrive.

import {isOrderable} from '../dish/availability.js';
import {post, Problem} from '../parts/api.js';
import {askToConfirm} from '../parts/confirmation.js';
import {el, reconcile, replaceChildren} from '../parts/dom.js';
import {loadPart} from '../parts/loadPart.js';
import {money} from '../parts/money.js';
import {preloadScreen, setTitle} from '../parts/router.js';
import {emptyState} from '../parts/screenLoading.js';
import {loadTimeZone} from '../parts/timeZone.js';
import {runBusy, showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {readWholeMenu} from '../parts/wholeMenu.js';
import {basket, clearBasket, hasPendingTaps, refreshBasket} from './basket.js';
import {dishLines, setLines} from './basketLines.js';

/** @typedef {import('../parts/router.js').Route} Route */
/** @typedef {import('./basketLines.js').LineContext} LineContext */
/** @typedef {import('./fixes.js').BasketError} BasketError */

/** @param {HTMLElement} button */
async function askToEmpty(button) {
  const isSure = await askToConfirm(t('Empty the basket?'), t('All dishes are removed from the basket.'),
    {yes: t('Empty basket'), no: t('Keep it')});
  if (isSure) {
    await runBusy(button, async () => {
      await clearBasket();
      showToast(t('The basket is empty.'));
    });
  }
}

/**
 * Returns a function that lets the checkout validate a basket with unavailable dishes. The checkout's errors name the
 * option and the remaining quantity. `take` gets the errors with fixes.
 * @param {(errors: BasketError[]) => void} take
 */
function unavailableCheck(take) {
  let checkedState = '', pendingCheck = Promise.resolve();
  /** @param {API.Basket} currentBasket @param {string} state */
  async function check(currentBasket, state) {
    const [{body}, {withFixes}] = await Promise.all([
      post('/v1/checkout/validate', {basketId: currentBasket.id}),
      loadPart('basket/fixes', () => import('./fixes.js')),
    ]);
    const basketErrors = await withFixes(body.errors ?? [], currentBasket);
    if (state === checkedState) take(basketErrors.filter(({fixes}) => fixes?.length));
  }
  return () => {
    const currentBasket = basket.value;
    const unavailable = [...currentBasket?.lines ?? [], ...(currentBasket?.sales ?? []).flatMap((sale) => sale.items)]
      .filter((line) => !isOrderable(line));
    const state = unavailable.length ? JSON.stringify([currentBasket?.version, unavailable]) : '';
    if (state !== checkedState) {
      checkedState = state;
      if (!unavailable.length) take([]);
      pendingCheck = currentBasket && unavailable.length ? check(currentBasket, state) : Promise.resolve();
    }
    return pendingCheck.catch((problem) => {
      checkedState = '';
      if (!(problem instanceof Problem)) throw problem;
    });
  };
}

/** @param {HTMLElement} container @param {Route} route */
export function basketScreen(container, route) {
  setTitle(t('Basket'), {silent: route.isFirst});
  const heading = el('h1', {tabindex: '-1'}, t('Your basket'));
  const body = el('div.basket');
  const [dishes, sets] = [dishLines(), setLines()];
  const total = el('strong', {id: 'total'});
  const parts = {
    dishes: el('section', {'aria-labelledby': 'dishes'}, el('h2', {id: 'dishes'}, t('Dishes')), dishes.list),
    sets: el('section', {'aria-labelledby': 'sets'}, el('h2', {id: 'sets'}, t('Sets')), sets.list),
    totals: el('div.totals', {},
      el('p.total', {}, el('span', {}, t('Total')), total),
      el('div.row', {},
        el('a.button.big', {href: '#/checkout'}, t('Go to the checkout')),
        el('button.button.plain',
          {type: 'button', 'data-key': 'clear', onclick: (event) => askToEmpty(event.currentTarget)},
          t('Empty the basket')))),
  };
  /**
   * The menu's items by id, and the errors with fixes: {field, text, fixes}.
   * @type {LineContext}
   */
  const context = {menuItems: new Map(), basketErrors: []};
  const checkAvailability = unavailableCheck((basketErrors) => { context.basketErrors = basketErrors; });
  const nothing = [emptyState(t('Your basket is empty.'))];
  replaceChildren(container, heading, body);

  function draw() {
    const hadFocus = body.contains(document.activeElement);
    const currentBasket = basket.value;
    dishes.update(currentBasket?.lines ?? [], currentBasket, context);
    sets.update(currentBasket?.sales ?? [], currentBasket, context);
    if (currentBasket) total.textContent = money(currentBasket.total, currentBasket);
    total.classList.toggle('pending', hasPendingTaps());
    reconcile(body, currentBasket?.totalCount
      ? [...currentBasket.lines.length ? [parts.dishes] : [], ...currentBasket.sales.length ? [parts.sets] : [],
        parts.totals] : nothing);
    // The focused element was removed with its line.
    if (hadFocus && !body.contains(document.activeElement)) heading.focus({preventScroll: true});
  }
  preloadScreen('#/checkout');
  // The first screen of the page waits until everything is known, so that nothing moves.
  let isDrawn = Boolean(basket.value) && !route.isFirst;
  if (isDrawn) draw();
  else body.append(el('p.quiet', {}, t('One moment…')));
  /** Draws at once if the basket was drawn before; otherwise after the check, so that nothing moves. */
  async function showBasket() {
    if (isDrawn) draw();
    await checkAvailability();
    isDrawn = true;
    draw();
  }
  Promise.all([refreshBasket(), loadTimeZone()]).then(showBasket, (problem) => {
    if (!basket.value) {
      replaceChildren(body,
        el('p.warn', {role: 'alert'}, `${problem.detail ?? t('Something went wrong.')} ${t('Your basket is saved.')}`));
    } else void showBasket();
  });
  readWholeMenu().then((items) => {
    context.menuItems = new Map(items.map((item) => [item.id, item]));
    if (isDrawn) draw();
  }, () => {});
  return basket.watch(showBasket);
}
