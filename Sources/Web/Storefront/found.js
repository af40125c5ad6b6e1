// The dishes of the menu's screen: the whole card by chapter, or what was looked for, twenty at a time as one scrolls. Used by the menu's screen.
// Read next: chapters.js, wanted.js.

import {read} from './api.js';
import {itemCard} from './cards.js';
import {chapters, follow, wholeCard} from './chapters.js';
import {el, fill, say} from './dom.js';
import {surpriseShelf} from './surprise.js';
import {foodWords, isCard, parameters} from './wanted.js';
import {t} from './words.js';

/** Shows one page of what was found; `nothing` is what stands there where that is nothing. */
function drawPage(list, {items}, isFirst, nothing) {
  const cards = items.map((item, index) => itemCard(item, {level: 'h2', eager: isFirst && index < 4}));
  list.className = isFirst && !items.length ? '' : 'grid';
  if (!isFirst) list.append(...cards);
  else fill(list, items.length ? cards : nothing());
  list.removeAttribute('aria-busy');
}

/** Says how many there are, and what they are right for. */
function tell(status, wanted, count, hasMore) {
  status.classList.toggle('unseen', isCard(wanted));
  const [dishes, food] = [t('{count, plural, one {# dish} other {# dishes}}', {count}), foodWords(wanted)];
  const many = hasMore ? t('{dishes} and more', {dishes}) : dishes;
  status.textContent = food ? `${many}: ${food}` : many;
}

/** The whole card in the list, with the way to a surprise below it where no category was asked for. It is asked for once, and kept. */
function cardIn(wanted, list, {links, tags}) {
  const surprise = el('div', {hidden: true});
  let dishes = null, unfollow = null;
  return {
    surprise,
    get isShown() { return Boolean(unfollow); },
    /** The dishes, or a promise of them. */
    load: () => (dishes ??= wholeCard()),
    reload() {
      dishes = wholeCard();
      dishes.catch(() => { dishes = null; });
      return dishes;
    },
    take(newer) { dishes = newer; },
    show(items) {
      list.className = '';
      fill(list, chapters(links.categories, items));
      list.removeAttribute('aria-busy');
      tags.draw(items);
      surprise.hidden = Boolean(wanted.category);
      if (!surprise.hidden && !surprise.firstChild) surprise.append(surpriseShelf());
      unfollow?.();
      unfollow = follow(links.node, list, (link) => links.mark(link.dataset.chapter));
    },
    leave() {
      unfollow = unfollow?.();
      surprise.hidden = true;
    },
    /** Ends what follows the reader. */
    end: () => unfollow?.(),
  };
}

/** The dishes that are `wanted` whenever they are shown, in their `list`: {status, more, card, …}. `links` are the ways to the categories, `tags` the
 *  chips that narrow; `nothing` makes what stands there where nothing is found. */
export function dishesFound(wanted, list, {links, tags, nothing}) {
  // Where it is not seen it has no room either, also before the dishes have come.
  const status = el(isCard(wanted) ? 'p.quiet.found.unseen' : 'p.quiet.found', {role: 'status'});
  const more = el('div.more');
  const card = cardIn(wanted, list, {links, tags});
  let cursor = null, asking = null;

  async function showCard() {
    asking?.abort();
    const mine = asking = new AbortController();
    const items = await card.load().catch((problem) => {
      card.take(null);
      // Something else is shown meanwhile.
      if (asking === mine) throw problem;
    });
    if (asking !== mine) return;
    asking = cursor = null;
    card.show(items);
    tell(status, wanted, items.length, false);
  }

  async function ask(isFirst) {
    asking?.abort();
    const mine = asking = new AbortController();
    const query = parameters(wanted);
    query.set('limit', '20');
    if (!isFirst) query.set('cursor', cursor);
    const page = await read(`/v1/menu?${query}`, {signal: mine.signal});
    if (asking !== mine) return;
    asking = null;
    cursor = page.nextCursor;
    card.leave();
    drawPage(list, page, isFirst, nothing);
    if (isFirst) tags.offer(page, mine.signal);
    tell(status, wanted, list.querySelectorAll('article').length, cursor);
    if (!isFirst) say(t('{count} more', {count: page.items.length}));
    requestAnimationFrame(() => cursor && more.isConnected && more.getBoundingClientRect().top < innerHeight + 600 && next());
  }

  /** Removes the offer to try again: it is about something else. */
  const show = () => {
    fill(more);
    cursor = null;
    return isCard(wanted) ? showCard() : ask(true);
  };
  const next = () => { if (cursor && !asking) ask(false).catch(fail); };
  function fail(problem) {
    if (problem.name === 'AbortError') return;
    if (problem.code === undefined) throw problem;
    asking = null;
    card.take(null);
    fill(more, el('button.button.plain', {type: 'button', onclick: () => { fill(more); (cursor ? ask(false) : show()).catch(fail); }}, `${problem.detail} ${t('Try again')}`));
  }

  return {
    status, more, card, next,
    /** Shows what is wanted now, or why that can't be had. */
    show: () => show().catch(fail),
    /** What is shown first: it is asked for at once; the card is drawn when `categories` have come too. Throws why it can't be had. */
    async first(categories) {
      fill(more);
      cursor = null;
      const whole = card.reload();
      await Promise.all([categories, isCard(wanted) ? whole : ask(true)]);
      if (isCard(wanted)) await showCard();
    },
    stop: () => asking?.abort(),
  };
}
