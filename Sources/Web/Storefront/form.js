// The form of the checkout: its fields, what was typed into them, and what is wrong with that. Used by the checkout's screen, judging.js and
// ordering.js. Read next: field.js, radios.js, time.js, fulfilment.js.

import {basket} from './basket.js';
import {pendingAttempt} from './checkout/attempt.js';
import {el} from './dom.js';
import {field} from './field.js';
import {fulfilmentFields} from './fulfilment.js';
import {draft, forgetGuest, keepDraft, rememberedGuest} from './guest.js';
import {radios} from './radios.js';
import {sentenceOf} from './sentences.js';
import {kept} from './store.js';
import {timeField} from './time.js';
import {tipIn, tipParts} from './tip.js';
import {t} from './words.js';

/** All fields, as they were left; the first three are shown where the shop asks for them. */
function fieldsOf(form) {
  return [
    radios('fulfilment', t('Delivery or pickup?'), [['delivery', t('Delivery')], ['pickup', t('Pickup')]]),
    field('postcode', t('Postcode'), {autocomplete: 'postal-code', maxlength: 20, hint: ' '}),
    timeField('wantedAt', t('When?')),
    field('name', t('Name'), {autocomplete: 'name', maxlength: 200}),
    field('phone', t('Phone'), {type: 'tel', autocomplete: 'tel', hint: t('With the area code, like (555) 010-7788'), maxlength: 60}),
    field('email', t('Email'), {type: 'email', autocomplete: 'email', maxlength: 300}),
    field('address', t('Address'), {autocomplete: 'street-address', hint: t('Street, number and city'), maxlength: 400}),
    field('coupon', t('Coupon'), {optional: true, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 60}),
    field('birthday', t('Birthday'), {optional: true, hint: t('Month and day, like 02-29, for a birthday coupon'), placeholder: t('MM-DD'), autocomplete: 'off', maxlength: 12}),
    field('tip', t('Tip'), {optional: true, hint: t('An amount for the kitchen and the courier'), inputmode: 'decimal', autocomplete: 'off', maxlength: 17}),
    field('comment', t('Comment'), {optional: true, rows: 2, hint: t('For example: the bell does not work'), maxlength: 600}),
    field('ageConfirmed', t('I am old enough'), {type: 'checkbox'}),
  ].map((one) => {
    one.value = form[one.name];
    return one;
  });
}

/** Whether the guest is to be remembered; one who is not is forgotten at once. */
function rememberingField() {
  const remembering = field('remember', t('Keep my details and my orders on this device'), {type: 'checkbox', optional: true});
  remembering.value = draft().remember ?? rememberedGuest() !== null;
  remembering.input.addEventListener('change', () => {
    keepDraft({...draft(), remember: remembering.value});
    if (!remembering.value) forgetGuest();
  });
  return remembering;
}

/** Whether a required text is missing. The age is judged by the shop, which knows what is in the basket. */
const isMissing = ({input, value}) => Boolean(input?.required) && input.type !== 'checkbox' && !value;

/** The form, as the guest left it: its `fields`, the same `by` name, which of them were `left`, the `fulfilment`, how and when it is wanted, and the
 *  `tips` that can be tapped. `changed` is called when it is to be judged; `priced` gives what has the currency. */
export function checkoutForm({changed, priced}) {
  const {tip: typed, ...form} = draft();
  const fields = fieldsOf({...rememberedGuest(), ...form, ...pendingAttempt()?.body, tip: typed});
  const by = Object.fromEntries(fields.map((one) => [one.name, one]));
  // What came with the guest is judged at once.
  const left = new Set(by.coupon.value ? ['coupon'] : []);
  const basketId = () => basket.value?.id ?? kept('basket');
  const tips = tipParts(by.tip);
  const fulfilment = fulfilmentFields(by, {basketId, changed: (name) => {
    left.add(name);
    keepDraft(typedSoFar());
    changed();
  }});
  const remembering = rememberingField();
  let timer = 0;

  const values = () => Object.fromEntries(fields.filter(({isAsked}) => isAsked).map((one) => [one.name, one.value]).filter(([, value]) => value));
  const typedSoFar = () => ({...values(), remember: remembering.value});
  const tip = () => tipIn(by.tip.input.value, priced());
  by.tip.wrong = () => (tip() === null ? t('Please enter an amount in digits, or leave the field empty.') : null);
  by.birthday.node.hidden = !by.birthday.value;

  for (const one of fields.filter(({input}) => input)) {
    one.input.addEventListener('blur', () => {
      if (!one.value && !left.has(one.name) && (!one.input.required || one.input.type === 'checkbox')) return;
      left.add(one.name);
      changed();
    });
    one.input.addEventListener('input', () => {
      keepDraft(typedSoFar());
      clearTimeout(timer);
      // What changes the total is judged as it is typed; another field that has an error, as it is mended.
      if (one.name === 'coupon' || one.name === 'birthday') left.add('coupon');
      else if (one.name === 'tip' || one.name === 'ageConfirmed') left.add(one.name);
      else if (one.name !== 'postcode' && !one.error) return;
      timer = setTimeout(changed, 300);
    });
  }

  return {
    fields, by, left, fulfilment, tips, remembering,
    node: el('div.fields', {}, fulfilment.node, fields.slice(3).map((one) => one.node), remembering.node),
    /** What was typed, as a request has it. */
    get body() {
      const wantedAt = by.wantedAt.isAsked && by.wantedAt.drawn ? by.wantedAt.drawn : undefined;
      return {...values(), wantedAt, tip: by.tip.isAsked ? tip() ?? undefined : undefined};
    },
    /** Whether nothing is missing, and nothing is wrong that the page can see by itself. */
    get isComplete() { return fields.every((one) => !one.isAsked || !(isMissing(one) || one.wrong?.())); },
    /** Says at each field what is missing or wrong with it, without the shop. */
    showMissing() {
      for (const one of fields.filter(({isAsked}) => isAsked)) {
        const message = one.wrong?.() ?? (isMissing(one) ? t('Please fill in this field.') : null);
        if (message) one.showError(message);
      }
    },
    /** Whether the guest has chosen a way or a time before, which is drawn once it is known what is offered. */
    get hasKeptTerms() { return Boolean(by.fulfilment.value || by.wantedAt.value); },
    set disabled(value) { for (const one of [...fields, tips]) one.disabled = value; },
    /** What was typed last is not judged by itself any more. */
    rest: () => clearTimeout(timer),
  };
}

/** The birthday is asked of nobody but who has a coupon for it. */
export function askBirthday({by: {birthday}}, errors) {
  const isWanted = errors.some(({code}) => code === 'coupon_needs_birthday');
  birthday.node.hidden = !isWanted && !birthday.value;
  return isWanted;
}

/** The age is asked of who orders what is for adults only. */
export function askAge({by: {ageConfirmed}}, minimumAge) {
  ageConfirmed.node.hidden = !minimumAge;
  ageConfirmed.rename(t('I am {age} or older', {age: minimumAge}));
}

/** Shows what is wrong with the fields that were left, or with all of them: what the page sees itself, or what the server has answered. Returns the
 *  errors of those that the guest is not asked for. */
export function showWrong(form, {fields: judged, errors = [], quote}, all) {
  const {fields, by, left} = form;
  const needsBirthday = askBirthday(form, [judged.coupon ?? {}]);
  const hidden = [];
  for (const one of fields) {
    const error = judged[one.name]?.code ? {field: one.name, ...judged[one.name]} : errors.find(({field: name}) => name === one.name);
    if (error && !one.isAsked) hidden.push({...error, field: one.name});
    const message = one.wrong?.({all}) ?? (error && sentenceOf(error, quote));
    if (all || left.has(one.name)) one.showError(message, error?.params?.alternatives);
    else if (!message) one.showError(null);
  }
  // What is said of the field that is being typed in may lie behind the tabs.
  if (!all) fields.find((one) => one.error && one.node.contains(document.activeElement))?.showWhole();
  if (needsBirthday) by.birthday.showError(t('Please tell us the day for this coupon.'));
  return hidden;
}
