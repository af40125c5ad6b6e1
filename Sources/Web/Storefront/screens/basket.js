// The basket: single dishes and sets apart, and what it all costs. How many there are is what was tapped; sums are the server's and pale until they
// have come. Read next: lines.js.

import {post} from '../api.js';
import {basket, clearBasket, isTapped, refresh} from '../basket.js';
import {wholeCard} from '../chapters.js';
import {arrange, el, fill} from '../dom.js';
import {dishLines, setLines} from '../lines.js';
import {money} from '../money.js';
import {doing, notice} from '../notice.js';
import {loadPart} from '../parts/loadPart.js';
import {zoneIsRead} from '../parts/timeZone.js';
import {question} from '../question.js';
import {title} from '../router.js';
import {isForLater} from '../soldout.js';
import {t} from '../words.js';
import {nothingYet} from './loading.js';

async function empty(button) {
  const isSure = await question(t('Empty the basket?'), t('All dishes are removed from the basket.'), {yes: t('Empty basket'), no: t('Keep it')});
  if (isSure) {
    await doing(button, async () => {
      await clearBasket();
      notice(t('The basket is empty.'));
    });
  }
}

/** What asks the checkout, which tells which option is out and how many there are; `take` is given what is wrong with what can't be had. */
function judging(take) {
  let judged = '', asking = Promise.resolve();
  async function ask(now, state) {
    const [{body}, {withFixes}] = await Promise.all([post('/v1/checkout/validate', {basketId: now.id}), loadPart('fixes', () => import('../fixes.js'))]);
    const wrong = await withFixes(body.errors ?? [], now);
    if (state === judged) take(wrong.filter(({fixes}) => fixes?.length));
  }
  return () => {
    const now = basket.value;
    const out = [...now?.lines ?? [], ...(now?.sales ?? []).flatMap((sale) => sale.items)].filter((one) => !one.isAvailable && !isForLater(one));
    const state = out.length ? JSON.stringify([now.version, out]) : '';
    if (state !== judged) {
      judged = state;
      if (!out.length) take([]);
      asking = out.length ? ask(now, state) : Promise.resolve();
    }
    return asking.catch((problem) => {
      judged = '';
      if (problem.code === undefined) throw problem;
    });
  };
}

export function basketScreen(place, route) {
  title(t('Basket'), {silent: route.isFirst});
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
        el('button.button.plain', {type: 'button', 'data-key': 'clear', onclick: (event) => empty(event.currentTarget)}, t('Empty the basket')))),
  };
  /** The dishes of the card by their ids, and what is wrong with what can't be had, with what can be done: {field, text, fixes}. */
  const known = {card: new Map(), wrong: []};
  const judge = judging((wrong) => { known.wrong = wrong; });
  const nothing = [nothingYet(t('Your basket is empty.'))];
  fill(place, heading, body);

  function draw() {
    const hadFocus = body.contains(document.activeElement);
    const now = basket.value;
    dishes.update(now?.lines ?? [], now, known);
    sets.update(now?.sales ?? [], now, known);
    if (now) total.textContent = money(now.total, now);
    total.classList.toggle('pending', isTapped());
    arrange(body, now?.totalCount ? [...now.lines.length ? [parts.dishes] : [], ...now.sales.length ? [parts.sets] : [], parts.totals] : nothing);
    // What had the focus is gone with its line.
    if (hadFocus && !body.contains(document.activeElement)) heading.focus({preventScroll: true});
  }
  // Where most go next; if it can't be had now, it is asked for again there.
  loadPart('screens/checkout', () => import('./checkout.js')).catch(() => {});
  // The page's first screen waits until all is known: nothing that is drawn moves.
  let isDrawn = Boolean(basket.value) && !route.isFirst;
  if (isDrawn) draw();
  else body.append(el('p.quiet', {}, t('One moment…')));
  /** At once what is seen already; else when all is known, so that nothing moves. */
  async function follow() {
    if (isDrawn) draw();
    await judge();
    isDrawn = true;
    draw();
  }
  Promise.all([refresh(), zoneIsRead()]).then(follow, (problem) => {
    if (!basket.value) fill(body, el('p.warn', {role: 'alert'}, `${problem.detail ?? t('Something went wrong.')} ${t('Your basket is saved.')}`));
    else follow();
  });
  wholeCard().then((items) => {
    known.card = new Map(items.map((item) => [item.id, item]));
    if (isDrawn) draw();
  }, () => {});
  return basket.watch(follow);
}
