// The lines of the basket: dishes with plus and minus, and sets with their dishes. A removal can be undone for some
// seconds. A line keeps its element, so that no tap hits an element that was just replaced.

import {isOrderable, isServedLater, unavailableText} from '../dish/availability.js';
import {selectionList} from '../dish/dishList.js';
import {customUnits, dishOfLine, dishRequest} from '../dish/dishRequest.js';
import {textList} from '../dish/dishTexts.js';
import {lineFood} from '../dish/foodInformation.js';
import {prices} from '../dish/prices.js';
import {el, icon, reconcile, replaceChildren} from '../parts/dom.js';
import {errorSentence} from '../parts/errorSentence.js';
import {money} from '../parts/money.js';
import {picture} from '../parts/picture.js';
import {runAndReport, runBusy, showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {addDish, addSale, basketLine, hasPendingTaps, quantityOf, remainingFor, removeDish} from './basket.js';
import {removeSale, removeSaleItem} from './basket.js';
import {fixButtons} from './fixButtons.js';
import {loadDishSheet} from './loadDishSheet.js';

/** @typedef {import('../parts/dom.js').IconName} IconName */
/** @typedef {import('../parts/money.js').Priced} Priced */
/** @typedef {import('./basket.js').BasketSet} BasketSet */
/** @typedef {import('./fixes.js').BasketError} BasketError */
/** @typedef {typeof import('./dishSheet.js')} DishSheet */
/** @typedef {{menuItems: Map<number, API.MenuItem>, basketErrors: BasketError[]}} LineContext */
/**
 * @template Entry
 * @typedef {{node: HTMLElement, update(entry: Entry, priced: Priced, context: LineContext): void}} Line
 */

/**
 * @param {IconName} name
 * @param {string} label
 * @param {string} key
 * @param {(button: HTMLButtonElement) => unknown} action
 * @param {string | null} [about]
 */
const iconButton = (name, label, key, action, about = null) => el('button.round', {
  type: 'button', 'aria-label': label, 'aria-describedby': about, 'data-key': key,
  onclick: (event) => event.currentTarget.getAttribute('aria-disabled') !== 'true' && action(event.currentTarget),
}, icon(name));

/**
 * A link that opens a sheet to change a line. If the change redraws the link, the focus stays with the line.
 * @param {string} name
 * @param {string} line
 * @param {(sheet: DishSheet) => Promise<void>} ask
 * @param {string | null} [about]
 */
const changeLink = (name, line, ask, about = null) => el('button.link', {
  type: 'button', 'aria-label': t('Change {title}', {title: name}), 'aria-haspopup': 'dialog',
  'aria-describedby': about,
  onclick: ({currentTarget: button}) => runBusy(button, async () => {
    await ask(await loadDishSheet());
    if (button.isConnected) return;
    /** @type {HTMLElement | null} */
    const link = document.querySelector(`${line} .link`);
    (link ?? document.querySelector('h1'))?.focus();
  }),
}, t('Change'));

/**
 * Announces a removal. If the dish is still available, the toast offers an undo. After the undo the element with the
 * selector `button()` gets the focus.
 * @param {string} title
 * @param {{canReturn: boolean, restore: () => Promise<unknown>, button: () => string}} options
 */
const announceRemoval = (title, {canReturn, restore, button}) =>
  showToast(t('{title} was removed from the basket.', {title}), {about: title, undo: canReturn && (async () => {
    await restore();
    /** @type {HTMLElement | null} */
    const target = document.querySelector(button());
    target?.focus();
    showToast(t('{title} is in the basket.', {title}));
  })});

/**
 * The picture of a line: {node, draw}. Its space is reserved until the menu is known.
 * @param {number | undefined} id
 * @param {string} title
 */
function thumbnail(id, title) {
  const node = el('span.face');
  /** @param {Map<number, API.MenuItem>} menuItems */
  function draw(menuItems) {
    const item = id === undefined ? undefined : menuItems.get(id);
    if (item && !node.firstChild) {
      node.append(picture(item.imageURL, title, {shape: 'thumb', photograph: item.photograph}));
    }
  }
  return {node, draw};
}

/**
 * The line of a dish: {node, update}.
 * @param {API.BasketLine} original
 */
function dishLine(original) {
  const {lineId, menuItemId: id, title} = original;
  const texts = textList(original);
  const dish = dishOfLine(original);
  /** The id of the list of options, which describes the line's buttons: two lines may have the same dish. */
  const about = `chosen-${lineId}`;
  const name = [title, ...texts.map((text) => `“${text}”`)].join(', ');
  const preview = thumbnail(id, title);
  const description = el('div.what');
  const number = el('span');
  const sum = el('strong.sum');
  const plus = el('button.round', {
    type: 'button', 'aria-label': t('One {title} more', {title: name}), 'aria-describedby': about,
    'data-key': `plus ${id}`,
    onclick: () => {
      if (plus.getAttribute('aria-disabled') !== 'true') void runAndReport(() => addDish(dish), title);
      else if (left !== null) showToast(t('Only {count} left', {count: left}), {isProblem: true});
    },
  }, icon('plus'));
  const node = el('li.line', {'data-line': id, 'data-line-id': lineId}, preview.node, description,
    el('div.steps', {role: 'group', 'aria-label': t('How many {title}', {title: name})},
      iconButton('minus', t('One {title} less', {title: name}), `minus ${id}`,
        () => runAndReport(() => (quantityOf(dish) > 1 ? addDish(dish, -1) : remove('minus')), title), about),
      el('span.quantity', {}, el('span.unseen', {}, `${t('Quantity')} `), number),
      plus),
    sum,
    iconButton('bin', t('Remove {title}', {title: name}), `bin ${id}`,
      (button) => runBusy(button, () => remove('bin'), title), about));
  /** @type {number | null} */
  let left = null;
  let drawn = '', shown = original;

  /** @param {string} key */
  async function remove(key) {
    const quantity = quantityOf(dish);
    if (!quantity) return;
    await removeDish(dish);
    announceRemoval(title, {
      canReturn: isOrderable(shown), restore: () => addDish(dish, quantity),
      button: () => `[data-line-id="${basketLine(dish)?.lineId}"] [data-key="${key} ${id}"]`,
    });
  }

  /** @param {API.BasketLine} entry @param {Priced} priced @param {LineContext} context */
  function update(entry, priced, {menuItems, basketErrors}) {
    preview.draw(menuItems);
    const quantity = quantityOf(dish);
    number.textContent = String(quantity);
    left = entry.unavailable?.available ?? menuItems.get(id)?.left ?? null;
    shown = entry;
    if (!isOrderable(entry) || quantity >= 99 || remainingFor({id, left}) < 1) {
      plus.setAttribute('aria-disabled', 'true');
    } else plus.removeAttribute('aria-disabled');
    sum.classList.toggle('pending', hasPendingTaps(dish));
    const ownErrors =
      basketErrors.filter(({field}) => field === `lines/${lineId}` || field.startsWith(`lines/${lineId}/`));
    const state = JSON.stringify([entry, priced.currency, ownErrors]);
    if (state === drawn) return;
    drawn = state;
    replaceChildren(sum, prices(entry.total, entry.regularUnitPrice * entry.quantity, priced));
    replaceChildren(description,
      el('a', {href: `#/items/${id}`}, title),
      entry.previousUnitPrice == null ? null
        : el('p.warn', {},
          t('The price has changed: {before} → {now}',
            {before: money(entry.previousUnitPrice, priced), now: money(entry.unitPrice, priced)})),
      isServedLater(entry) ? el('p.quiet', {}, laterText(entry)) : entry.isAvailable ? null
        : warnings(ownErrors, unavailableAdvice(entry, original.options)),
      el('div.choice', {id: about}, selectionList(entry.options, priced)),
      foodOf(entry),
      el('p.wish', {}, ...texts.map((text) => el('q', {}, text)),
        changeLink(name, `[data-line-id="${lineId}"]`, ({askToChange}) => askToChange(entry), about)));
  }
  return {node, update};
}

/**
 * The errors of a line with their fixes, or `fallback` until the errors are known.
 * @param {BasketError[]} errors
 * @param {string} [fallback]
 */
const warnings = (errors, fallback) => (errors.length
  ? errors.map((error) =>
    [el('p.warn', {}, error.text ?? fallback),
      error.fixes?.length ? el('div.row.fixes', {}, fixButtons(error.fixes, 'h1')) : null]).flat()
  : el('p.warn', {}, fallback));

/** @param {API.BasketLine} entry */
const foodOf = (entry) => (lineFood(entry) ? el('p.allergens', {}, lineFood(entry)) : null);

/** @param {API.BasketLine} thing */
const laterText = (thing) => t('{what}: please order it for that time.', {what: unavailableText(thing)});

/**
 * The advice for an unavailable line.
 * @param {API.BasketLine} entry
 * @param {API.LineOption[]} options
 */
function unavailableAdvice(entry, options) {
  const what = unavailableText(entry);
  if ((entry.unavailable?.available ?? 0) > 0) return t('{what}: please order fewer.', {what});
  return options.length ? t('{what}: please change it, or remove it from the basket.', {what})
    : t('{what}: please remove it from the basket.', {what});
}

/**
 * The line of a set.
 * @param {BasketSet} original
 */
function setLine(original) {
  const {salesGroupId: id, title: name, items} = original;
  const preview = thumbnail(items[0]?.menuItemId, name);
  const description = el('div.what');
  const sum = el('strong.sum');
  const node = el('li.line.set', {'data-set': id}, preview.node, description, sum,
    iconButton('bin', t('Remove {title}', {title: name}), `bin set ${id}`, (button) => runBusy(button, async () => {
      const units = customUnits(shown);
      await removeSale(id);
      announceRemoval(name,
        {canReturn: shown.items.every(isOrderable), restore: () => addSale(id, units),
          button: () => `[data-key="bin set ${id}"]`});
    })));
  let drawn = '', shown = original;
  /** @param {API.BasketLine} item */
  const nameOfUnit = ({title, quantity}) =>
    (quantity > 1 ? t('one {title} of {set}', {title, set: name}) : t('{title} of {set}', {title, set: name}));

  /** @param {BasketSet} entry @param {Priced} priced @param {LineContext} context */
  function update(entry, priced, {menuItems, basketErrors}) {
    preview.draw(menuItems);
    shown = entry;
    const ownErrors = basketErrors.filter(({field, text}) => text && field.startsWith(`sales/${id}/`));
    // Errors about the sale itself, which was retired or changed. They concern the whole set: its units cannot be
    // changed one by one.
    const ofSale = basketErrors.filter(({field}) => field === `sales/${id}`);
    const isOffered = entry.unavailable?.reason !== 'not_offered';
    const state = JSON.stringify([entry, priced.currency, ownErrors, ofSale]);
    if (state === drawn) return;
    drawn = state;
    sum.textContent = money(entry.total, priced);
    replaceChildren(description,
      el('a', {href: `#/sales/${id}`}, name),
      el('ul.units', {}, entry.items.map((item) => el('li', {}, `${item.quantity} × ${item.title} `,
        isOffered && changeLink(nameOfUnit(item), `[data-set="${id}"]`,
          ({askToChangeUnit}) => askToChangeUnit(entry, item)),
        selectionList(item.options, priced), foodOf(item), ...textList(item).map((text) => el('q', {}, text)),
        isServedLater(item) ? el('p', {}, laterText(item)) : item.isAvailable ? null : problems(item)))),
      isOffered ? null
        : warnings(ofSale.map((error) => ({...error, text: errorSentence(error, priced)})), unavailableText(entry)));
    /** @param {API.BasketLine} item */
    function problems(item) {
      if (!isOffered) return null;
      const ofItem = ownErrors.filter(({field}) =>
        field.startsWith(`sales/${id}/items/${item.menuItemId}/`) || field.endsWith(`/items/${item.menuItemId}`));
      return ofItem.length ? warnings(ofItem) : soldOutItem(id, name, item);
    }
  }
  return {node, update};
}

/** @param {number} id @param {string} name @param {API.BasketLine} item */
const soldOutItem = (id, name, item) =>
  el('p.warn', {'data-sold-out': item.menuItemId}, `${t('{what}: please remove it.', {what: unavailableText(item)})} `,
    iconButton('bin', t('Remove {title} from {set}', {title: item.title, set: name}), `bin ${id} ${item.menuItemId}`,
      (button) => runBusy(button, async () => {
        await removeSaleItem(id, item.menuItemId);
        showToast(t('{title} was removed from the basket.', item));
      })));

/**
 * A list of lines: {list, update}. `keyOf` returns the key of an entry.
 * @template Entry
 * @param {(entry: Entry) => Line<Entry>} make
 * @param {(entry: Entry) => string} keyOf
 */
function lineList(make, keyOf) {
  /** @type {Map<string, Line<Entry>>} */
  const linesByKey = new Map();
  const list = el('ul.lines');
  return {
    list,
    /** @param {Entry[]} entries @param {Priced | null} priced @param {LineContext} context */
    update(entries, priced, context) {
      const keys = entries.map(keyOf);
      for (const key of [...linesByKey.keys()]) if (!keys.includes(key)) linesByKey.delete(key);
      reconcile(list, entries.map((entry, index) => {
        const line = linesByKey.get(keys[index]) ?? make(entry);
        linesByKey.set(keys[index], line);
        // Without a basket there are no entries.
        if (priced) line.update(entry, priced, context);
        return line.node;
      }));
    },
  };
}

/**
 * The list of single dishes, and the list of sets. The key of a dish contains its options and texts, because the
 * buttons act on that dish.
 */
export const dishLines = () =>
  lineList(dishLine, (entry) => `${entry.lineId} ${entry.title} ${JSON.stringify(dishRequest(entry))}`);
export const setLines = () => lineList(setLine, (entry) => `${entry.salesGroupId} ${entry.title}`);
