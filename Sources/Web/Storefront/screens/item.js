// One item: its picture and text, what can be chosen with it, its price on the button, and for a special one the way to its sale.

import {fetched, read} from '../api.js';
import {addDish, isTapped, roomFor} from '../basket.js';
import {heart, marks} from '../cards.js';
import {el, fill, icon} from '../dom.js';
import {notice} from '../notice.js';
import {picture} from '../picture.js';
import {prices} from '../prices.js';
import {title} from '../router.js';
import {isForLater, soldOut} from '../soldout.js';
import {tongue} from '../tongue.js';
import {t} from '../words.js';
import {loading} from './loading.js';

export function itemScreen(place, route) {
  const back = (category) => el('a.back', {href: category ? `#/menu/${category}` : '#/menu'}, icon('back'), t('Menu'));
  const load = async () => {
    const [item, {dishForm}] = await Promise.all([read(`/v1/menu/${route.id}`), fetched(import('../dish.js'))]);
    const sale = item.salesGroupId ? await read(`/v1/sales/${item.salesGroupId}`).catch(() => null) : null;
    return () => {
      const price = el('p.price');
      const form = dishForm(item, {
        drawn: ({now, before}) => fill(price, prices(now, item.salePercent ? before : null, item)),
        save: add,
      });
      const toSale = sale ? el('a.button.plain.big', {href: `#/sales/${sale.id}`}, icon('star'), t('Part of {title}', sale)) : null;

      /** Each tap adds one, also while another is on its way. */
      async function add(dish, button) {
        if (roomFor(item) < 1) return notice(t('Only {count} left', {count: item.left}), {isProblem: true});
        button.setAttribute('aria-busy', 'true');
        try {
          await addDish(dish);
          fill(form.message);
          notice(t('{title} is in the basket.', item));
        } catch (problem) {
          if (problem.code === undefined) throw problem;
          if (problem.errors.length) form.refuse(problem);
          else notice(problem.detail, {isProblem: true});
        }
        if (!isTapped(dish)) button.removeAttribute('aria-busy');
        return undefined;
      }

      // The button stays where a thumb finds it: above the note, or at the lower edge for as long as there is something to choose above it.
      const toAdd = !item.isAvailable && !isForLater(item) ? el('div.row', {}, el('span.soldout', {}, soldOut(item)), toSale)
        : item.optionGroups?.length ? [form.chosen, form.note, form.message, el('div.row.choosing', {}, form.button), toSale]
          : [form.message, el('div.row', {}, form.button, toSale), form.note];
      title(item.title, {silent: route.isFirst});
      fill(place, back(item.category), el('article.detail', {},
        el('div.side', {}, picture(item.imageURL, item.title, {shape: 'tall', eager: true, photograph: item.photograph}), heart(item)),
        el('div.text', {},
          el('p.marks', {}, marks(item)),
          el('h1', tongue(item), item.title),
          el('p.lead', tongue(item, 'description'), item.description),
          el('ul.tags', {'aria-label': t('Tags')}, item.tags.map((tag) => el('li', {}, el('a.chip', {href: `#/menu?tag=${encodeURIComponent(tag)}`}, tag)))),
          price, toAdd, form.food)));
    };
  };
  const waiting = () => fill(place, back(), el('div.detail', {}, el('div.side', {}, el('span.picture.tall.skeleton')), el('div.text', {}, el('h1', {}, '…'))));
  return loading(place, route, waiting, load, {ofMenu: true});
}
