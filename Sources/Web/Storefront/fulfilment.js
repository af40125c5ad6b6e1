// How, where and when an order is wanted: delivered or picked up, to which postcode where areas ask for one, and at which time where the shop has
// times to choose. A shop without such rows asks for none of it. Used by form.js. Read next: time.js, area.js.

import {post, read} from './api.js';
import {areaWords, deliveryTo} from './area.js';
import {el} from './dom.js';
import {doorsOf, hoursOf} from './hours.js';
import {t} from './words.js';

/** A time that no shop has: the refusal tells the last that there is. */
const tooFar = '9999-01-01T00:00:00Z';

/** The last time there is, null where there are none. */
async function latestTime(basketId, fulfilment) {
  const {body} = await post('/v1/checkout/validate', {basketId, fulfilment, wantedAt: tooFar});
  return body.fields.wantedAt?.params?.latest ?? null;
}

/** Tells beside the postcode, as it is typed, what delivery there takes. `moved` is called when it is another area. */
function areaBeside(postcode, moved) {
  const terms = postcode.node.querySelector('.hint');
  let area = null, asked = 0, timer = 0;
  terms.setAttribute('aria-live', 'polite');

  async function tell() {
    asked += 1;
    const mine = asked;
    const typed = postcode.value;
    const answer = await deliveryTo(typed).catch(() => null);
    if (mine !== asked) return;
    terms.textContent = (answer && areaWords(answer)) ?? '';
    const before = area?.id;
    area = answer?.area && {id: answer.area.id, postcode: typed};
    if (area?.id !== before) await moved();
  }
  postcode.input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(tell, 300);
  });
  return {
    tell,
    /** The postcode of the area; nothing where it is not delivered to. */
    get postcode() { return area?.postcode; },
  };
}

/** What is offered, for the fields `by` name. Calls `changed` with the name of the one that the guest has chosen; `basketId` is asked for when it is needed. */
export function fulfilmentFields(by, {basketId, changed}) {
  const {fulfilment, postcode, wantedAt, address} = by;
  const note = el('p.shut', {hidden: true});
  const node = el('div.fields', {}, note, fulfilment.node, postcode.node, wantedAt.node);
  // The way to another area takes longer, or shorter.
  const area = areaBeside(postcode, () => wantedAt.again());
  let doors = null, hasAreas = false;
  for (const one of [fulfilment, postcode]) one.node.hidden = true;

  /** Where it is not delivered to, all times are shown: that it is not is told beside the postcode. */
  const slotsOn = async (date) => {
    const place = area.postcode === undefined ? '' : `&postcode=${encodeURIComponent(area.postcode)}`;
    return (await read(`/v1/times?fulfilment=${fulfilment.chosen}${place}&date=${date}&basketId=${basketId()}`)).slots;
  };

  /** Asks what is offered, and shows the fields it takes. */
  async function load() {
    const found = doorsOf(await read('/v1/home'));
    hasAreas = found.delivery?.needsPostcode ?? false;
    fulfilment.offer(Object.keys(found));
    await drawWay(found[fulfilment.chosen]);
    doors = found;
    if (postcode.value) area.tell();
  }

  /** What the chosen way takes: an address for delivery, and its times. */
  async function drawWay(door) {
    const way = fulfilment.chosen;
    address.node.hidden = way === 'pickup';
    postcode.node.hidden = way === 'pickup' || !hasAreas;
    const latest = await latestTime(basketId(), way);
    if (way !== fulfilment.chosen) return;
    await wantedAt.offer({latest, isOpen: door?.isOpen ?? true, slotsOn});
    const isShut = door && !door.isOpen;
    note.hidden = !isShut;
    note.textContent = isShut ? `${hoursOf({[way]: door})}${wantedAt.isAsked ? ` ${t('You can order for later.')}` : ''}` : '';
  }

  fulfilment.node.addEventListener('change', () => {
    drawWay(doors?.[fulfilment.chosen]).then(() => changed('fulfilment'), (problem) => {
      if (problem.code === undefined) throw problem;
      doors = null;
      changed('fulfilment');
    });
  });
  wantedAt.changed = () => changed('wantedAt');
  postcode.wrong = () => (postcode.isAsked && !postcode.value ? t('Please enter your postcode, so that we know where to deliver.') : null);

  return {
    node, load,
    /** Whether it is known what is offered. */
    get isKnown() { return doors !== null; },
    /** Shows how long as soon as possible takes, by the newest quote. */
    show: ({etaMinutes}) => wantedAt.hint(etaMinutes && !note.textContent ? t('As soon as possible: in about {count} minutes.', {count: etaMinutes}) : ''),
  };
}
