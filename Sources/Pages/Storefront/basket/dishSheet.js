// A sheet over the page with a dish: a new dish, a line of the basket, or a unit of a set.

import {isOrderable, unavailableText} from '../dish/availability.js';
import {dishForm} from '../dish/dishForm.js';
import {dishOfLine, dishRequest, lineChanges} from '../dish/dishRequest.js';
import {Problem, read} from '../parts/api.js';
import {el, icon} from '../parts/dom.js';
import {langOf} from '../parts/menuLanguage.js';
import {quantityStepper} from '../parts/quantityStepper.js';
import {ifScreenIsOpen} from '../parts/router.js';
import {showToast} from '../parts/toast.js';
import {t} from '../parts/translation.js';
import {addDish, changeLine, changeSale, quantityOf, remainingFor} from './basket.js';

/** @typedef {import('./basket.js').BasketSet} BasketSet */
/**
 * @typedef {object} SheetOptions
 * @property {string} [heading]
 * @property {string} [intro]
 * @property {import('../dish/dishRequest.js').HeldDish} [dish]
 * @property {number} [quantity]
 * @property {number} [ownQuantity]
 * @property {string} verb
 * @property {API.FieldError[]} [errors]
 * @property {(dish: import('../dish/dishRequest.js').Dish, quantity: number) => unknown} save
 */

/**
 * Opens a sheet for an item. Resolves to whether the dish was saved. Without `quantity` there is no stepper.
 * `ownQuantity` is the quantity of the line that is changed.
 * @param {API.MenuItem} item
 * @param {SheetOptions} options
 * @returns {Promise<boolean>}
 */
function openSheet(item, {
  heading = item.title, intro = item.description, dish: held, quantity, ownQuantity = 0, verb, errors, save,
}) {
  return new Promise((resolve) => {
    const steps = quantityStepper(item.title,
      {quantity, maximum: () => remainingFor(item, ownQuantity), changed: () => form.draw()});
    const form = dishForm(item, {
      held, verb, times: () => steps.quantity, onDraw: steps.draw,
      save: async (dish, button) => {
        if (button.getAttribute('aria-busy') === 'true') return;
        button.setAttribute('aria-busy', 'true');
        try {
          await save(dish, steps.quantity);
          dialog.close('saved');
        } catch (problem) {
          if (!(problem instanceof Problem)) throw problem;
          form.showErrors(problem);
        } finally {
          button.removeAttribute('aria-busy');
        }
      },
    });
    const title = el('h2', {id: 'sheet-title', tabindex: '-1', ...langOf(item)}, heading);
    /** @type {HTMLDialogElement} */
    const dialog = el('dialog.sheet', {'aria-labelledby': 'sheet-title', onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === 'saved');
    }, onclick: (event) => event.target === dialog && dialog.close()},
    el('header', {}, title,
      el('button.round', {type: 'button', 'aria-label': t('Close'), onclick: () => dialog.close()}, icon('cross'))),
    el('div.body', {}, intro ? el('p.quiet', langOf(item, 'description'), intro) : null, form.message, form.chosen,
      ...form.texts, form.food),
    el('footer', {}, quantity === undefined ? null : steps.node,
      isOrderable(item) || quantity !== undefined ? form.button
        : el('p.soldout', {}, unavailableText(item))));
    for (const node of form.texts) {
      node.addEventListener('keydown', (event) => event.key === 'Enter' && form.button.click());
    }
    document.body.append(dialog);
    dialog.showModal();
    title.focus();
    if (errors?.length) form.showErrors({errors});
  });
}

/** @param {number} id */
const readItem = (id) => ifScreenIsOpen(read(`/v1/menu/${id}`));

/**
 * Asks for the options of a dish and adds it to the basket. `errors` are those of the first attempt without options.
 * @param {number} id
 * @param {API.FieldError[]} [errors]
 */
export async function askToAdd(id, errors) {
  const item = await readItem(id);
  const isSaved =
    await openSheet(item, {quantity: 1, verb: t('Add'), errors, save: (dish, many) => addDish(dish, many)});
  if (isSaved) showToast(t('{title} is in the basket.', item));
}

/**
 * Changes a line. Only the changes are sent, so that the rest is not validated again.
 * @param {API.BasketLine} line
 * @param {API.FieldError[]} [errors]
 */
export async function askToChange(line, errors) {
  const dish = dishOfLine(line);
  const quantity = quantityOf(dish);
  const isSaved = await openSheet(await readItem(line.menuItemId), {
    heading: line.title, dish, quantity, ownQuantity: quantity, verb: t('Save'), errors,
    save: async (next, many) => {
      const changes = {...many === quantity ? {} : {quantity: many}, ...lineChanges(dish, next)};
      if (Object.keys(changes).length) await changeLine(line.lineId, changes);
    },
  });
  if (isSaved) showToast(t('Your changes to {title} are saved.', line));
}

/**
 * Changes one unit of an entry of a set. The other units stay.
 * @param {BasketSet} set
 * @param {API.BasketLine} entry
 */
export async function askToChangeUnit(set, entry) {
  const others = set.items.flatMap((item) => Array(item.quantity - (item === entry ? 1 : 0)).fill(dishRequest(item)));
  const isSaved = await openSheet(await readItem(entry.menuItemId), {
    heading: t('{title}, of {set}', {title: entry.title, set: set.title}), dish: dishOfLine(entry), verb: t('Save'),
    save: (dish) => changeSale(set.salesGroupId, [dishRequest(dish), ...others]).catch((problem) => {
      // Errors of other units are not shown at this unit's groups.
      for (const error of problem.errors ?? []) if (!error.field.includes(`/${entry.menuItemId}/1/`)) error.field = '';
      throw problem;
    }),
  });
  if (isSaved) showToast(t('Your changes to {title} are saved.', entry));
}

/**
 * Asks for the options of a set's units, one after another. Null if the guest closes a sheet.
 * @param {API.Sale} sale
 */
export async function askForUnits(sale) {
  /** @type {API.ChosenUnit[]} */
  const chosen = [];
  for (const {menuItem, quantity} of sale.items) {
    for (let number = 1; menuItem.needsChoice && number <= quantity; number += 1) {
      const heading = quantity > 1 ? t('{title}, {number} of {quantity}', {title: menuItem.title, number, quantity})
        : menuItem.title;
      const isSaved = await openSheet(await readItem(menuItem.id),
        {heading, verb: t('Choose'), save: (dish) => { chosen.push(dishRequest(dish)); }});
      if (!isSaved) return null;
    }
  }
  return chosen;
}
