// A dish in a sheet over the page: one that must be chosen before it is added from a card, a line of the basket that is changed, a unit of a set.
// Loaded when one is opened. Read next: dish.js.

import {read} from './api.js';
import {addDish, changeLine, changeSale, quantityOf, roomFor} from './basket.js';
import {changesOf, dishOf, unitOf} from './chosen.js';
import {dishForm} from './dish.js';
import {el, icon} from './dom.js';
import {langOf} from './lang.js';
import {notice} from './notice.js';
import {onThisScreen} from './router.js';
import {isForLater, soldOut} from './soldout.js';
import {stepper} from './stepper.js';
import {t} from './words.js';

/** Resolves to whether it was saved. `quantity` is how many there are; without it one is meant. No more can be chosen than there are. */
function sheet(item, {heading = item.title, intro = item.description, dish: held, quantity, mine = 0, verb, errors, save}) {
  return new Promise((resolve) => {
    const steps = stepper(item.title, {many: quantity, most: () => roomFor(item, mine), changed: () => form.draw()});
    const form = dishForm(item, {
      held, verb, times: () => steps.many, drawn: steps.draw,
      save: async (dish, button) => {
        if (button.getAttribute('aria-busy') === 'true') return;
        button.setAttribute('aria-busy', 'true');
        try {
          await save(dish, steps.many);
          dialog.close('saved');
        } catch (problem) {
          if (problem.code === undefined) throw problem;
          form.refuse(problem);
        } finally {
          button.removeAttribute('aria-busy');
        }
      },
    });
    const title = el('h2', {id: 'sheet-title', tabindex: '-1', ...langOf(item)}, heading);
    const dialog = el('dialog.sheet', {'aria-labelledby': 'sheet-title', onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === 'saved');
    }, onclick: (event) => event.target === dialog && dialog.close()},
    el('header', {}, title, el('button.round', {type: 'button', 'aria-label': t('Close'), onclick: () => dialog.close()}, icon('cross'))),
    el('div.body', {}, intro ? el('p.quiet', langOf(item, 'description'), intro) : null, form.message, form.chosen, form.note, form.food),
    el('footer', {}, quantity === undefined ? null : steps.node, item.isAvailable || isForLater(item) || quantity !== undefined ? form.button : el('p.soldout', {}, soldOut(item))));
    form.note.addEventListener('keydown', (event) => event.key === 'Enter' && form.button.click());
    document.body.append(dialog);
    dialog.showModal();
    title.focus();
    if (errors?.length) form.refuse({errors});
  });
}

const itemOf = (id) => onThisScreen(read(`/v1/menu/${id}`));

/** For a dish that is put into the basket; what was refused as it came says why. */
export async function askToAdd(id, errors) {
  const item = await itemOf(id);
  const isSaved = await sheet(item, {quantity: 1, verb: t('Add'), errors, save: (dish, many) => addDish(dish, many)});
  if (isSaved) notice(t('{title} is in the basket.', item));
}

/** For a line of the basket. Only what was changed is sent, so that the rest is not judged again. */
export async function askToChange(line, errors) {
  const dish = dishOf(line);
  const quantity = quantityOf(dish);
  const isSaved = await sheet(await itemOf(line.menuItemId), {
    heading: line.title, dish, quantity, mine: quantity, verb: t('Save'), errors,
    save: async (next, many) => {
      const changes = {...many === quantity ? {} : {quantity: many}, ...changesOf(dish, next)};
      if (Object.keys(changes).length) await changeLine(line.lineId, changes);
    },
  });
  if (isSaved) notice(t('Your changes to {title} are saved.', line));
}

/** For one unit of a set in the basket: of the first of those that are equal to it. */
export async function askToChangeUnit(set, entry) {
  const others = set.items.flatMap((one) => Array(one.quantity - (one === entry ? 1 : 0)).fill(unitOf(one)));
  const isSaved = await sheet(await itemOf(entry.menuItemId), {
    heading: t('{title}, of {set}', {title: entry.title, set: set.title}), dish: dishOf(entry), verb: t('Save'),
    save: (dish) => changeSale(set.salesGroupId, [unitOf(dish), ...others]).catch((problem) => {
      // What is wrong with the other units is not said at this one's groups.
      for (const error of problem.errors ?? []) if (!error.field.includes(`/${entry.menuItemId}/1/`)) error.field = '';
      throw problem;
    }),
  });
  if (isSaved) notice(t('Your changes to {title} are saved.', entry));
}

/** For the units of a set that can't be added as they come, one after the other; null where the guest has closed one of them. */
export async function askForUnits(sale) {
  const chosen = [];
  for (const {menuItem, quantity} of sale.items) {
    for (let number = 1; menuItem.needsChoice && number <= quantity; number += 1) {
      const heading = quantity > 1 ? t('{title}, {number} of {quantity}', {title: menuItem.title, number, quantity}) : menuItem.title;
      const isSaved = await sheet(await itemOf(menuItem.id), {heading, verb: t('Choose'), save: (dish) => { chosen.push(unitOf(dish)); }});
      if (!isSaved) return null;
    }
  }
  return chosen;
}
