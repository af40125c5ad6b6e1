// Fulfilment, postcode and wanted time in the checkout form. Each field is shown only if the shop offers a choice.

import {post, Problem, read} from '../parts/api.js';
import {el} from '../parts/dom.js';
import {openingsOf, openingText} from '../parts/openingStatus.js';
import {required} from '../parts/required.js';
import {t} from '../parts/translation.js';
import {areaText, readDeliveryTerms} from './deliveryArea.js';

/** @typedef {import('../parts/formField.js').FormField} FormField */
/** @typedef {import('../parts/openingStatus.js').Openings} Openings */
/** @typedef {import('../parts/radioField.js').RadioField} RadioField */
/** @typedef {import('./timeField.js').TimeField} TimeField */

/** A time beyond every shop's limit: the rejection names the latest possible time. */
const distantTime = '9999-01-01T00:00:00Z';

/**
 * The latest time that can be ordered for, or null.
 * @param {string} basketId
 * @param {API.Fulfilment} fulfilment
 */
async function latestTime(basketId, fulfilment) {
  const {body} = await post('/v1/checkout/validate', {basketId, fulfilment, wantedAt: distantTime});
  const latest = body.fields.wantedAt?.params?.latest;
  return typeof latest === 'string' ? latest : null;
}

/**
 * Shows the delivery terms below the postcode while it is typed. Calls `onAreaChange` when the area changes.
 * @param {FormField} postcode
 * @param {() => unknown} onAreaChange
 */
function areaHint(postcode, onAreaChange) {
  const terms = required(postcode.node.querySelector('.hint'));
  /** @type {{id: number, postcode: string} | null | undefined} */
  let area = null;
  let requestCount = 0, timer = 0;
  terms.setAttribute('aria-live', 'polite');

  async function update() {
    requestCount += 1;
    const ownRequest = requestCount;
    const typed = postcode.text;
    const answer = await readDeliveryTerms(typed).catch(() => null);
    if (ownRequest !== requestCount) return;
    terms.textContent = (answer && areaText(answer)) ?? '';
    const before = area?.id;
    area = answer?.area && {id: answer.area.id, postcode: typed};
    if (area?.id !== before) await onAreaChange();
  }
  postcode.input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, 300);
  });
  return {
    update,
    /** The typed postcode if it is in a delivery area, or undefined. */
    get postcode() { return area?.postcode; },
  };
}

/**
 * The fields in `byName` that choose the fulfilment. Calls `changed` with the name of a changed field; `basketId`
 * returns the current basket's id. A pickup hides the `deliveryFields`.
 * @param {{fulfilment: RadioField, postcode: FormField, wantedAt: TimeField}} byName
 * @param {{basketId: () => string, deliveryFields: FormField[], changed: (name: string) => unknown}} options
 */
export function fulfilmentFields(byName, {basketId, deliveryFields, changed}) {
  const {fulfilment, postcode, wantedAt} = byName;
  const note = el('p.shut', {hidden: true});
  const node = el('div.fields', {}, note, fulfilment.node, postcode.node, wantedAt.node);
  // Reads the slots again, because delivery to another area takes a different time.
  const area = areaHint(postcode, () => wantedAt.reload());
  /** @type {Openings | null} */
  let openings = null;
  let hasAreas = false;
  /** @returns {API.Fulfilment} */
  const chosenFulfilment = () => (fulfilment.chosen === 'pickup' ? 'pickup' : 'delivery');
  for (const entry of [fulfilment, postcode]) entry.node.hidden = true;

  /**
   * Reads the slots of a date. Outside all areas it asks without a postcode, because the hint at the postcode already
   * says that there is no delivery.
   * @param {string} date
   */
  const slotsOn = async (date) => {
    const postcodeQuery = area.postcode === undefined ? '' : `&postcode=${encodeURIComponent(area.postcode)}`;
    const query = `fulfilment=${fulfilment.chosen}${postcodeQuery}&date=${date}&basketId=${basketId()}`;
    return (await read(`/v1/times?${query}`)).slots;
  };

  /** Reads what the shop offers, and shows the fields for it. */
  async function load() {
    const found = openingsOf(await read('/v1/home'));
    hasAreas = found.delivery?.needsPostcode ?? false;
    fulfilment.offer(Object.keys(found));
    await showFulfilment(found[chosenFulfilment()]);
    openings = found;
    if (postcode.text) void area.update();
  }

  /**
   * Shows the fields of the chosen fulfilment: the address for delivery, and its times.
   * @param {API.Door | undefined} opening
   */
  async function showFulfilment(opening) {
    const chosen = chosenFulfilment();
    for (const field of deliveryFields) field.node.hidden = chosen === 'pickup';
    postcode.node.hidden = chosen === 'pickup' || !hasAreas;
    const latest = await latestTime(basketId(), chosen);
    if (chosen !== chosenFulfilment()) return;
    await wantedAt.offer({latest, isOpen: opening?.isOpen ?? true, slotsOn});
    const isClosed = opening && !opening.isOpen;
    note.hidden = !isClosed;
    note.textContent = isClosed
      ? `${openingText({[chosen]: opening})}${wantedAt.isVisible ? ` ${t('You can order for later.')}` : ''}` : '';
  }

  fulfilment.node.addEventListener('change', () => {
    showFulfilment(openings?.[chosenFulfilment()]).then(() => changed('fulfilment'), (problem) => {
      if (!(problem instanceof Problem)) throw problem;
      openings = null;
      changed('fulfilment');
    });
  });
  wantedAt.changed = () => changed('wantedAt');
  postcode.localError = () => (postcode.isVisible && !postcode.text
    ? t('Please enter your postcode, so that we know where to deliver.') : null);

  return {
    node, load,
    /** Whether the shop's offer is known. */
    get isKnown() { return openings !== null; },
    /**
     * Shows the estimate for "as soon as possible" from the newest quote.
     * @param {API.Quote} quote
     */
    show: ({etaMinutes}) =>
      wantedAt.hint(etaMinutes && !note.textContent
        ? t('As soon as possible: in about {count} minutes.', {count: etaMinutes}) : ''),
  };
}
