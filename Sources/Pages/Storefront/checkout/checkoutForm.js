// The checkout form: its fields, their values and their errors.

import {basket} from '../basket/basket.js';
import {el} from '../parts/dom.js';
import {errorSentence} from '../parts/errorSentence.js';
import {formField} from '../parts/formField.js';
import {radioField} from '../parts/radioField.js';
import {loadValue} from '../parts/storage.js';
import {t} from '../parts/translation.js';
import {pendingAttempt} from './attempt.js';
import {checkoutDraft, saveCheckoutDraft} from './checkoutDraft.js';
import {fulfilmentFields} from './fulfilmentFields.js';
import {forgetGuest, rememberedGuest} from './guestDetails.js';
import {timeField} from './timeField.js';
import {parseTip, tipButtons} from './tip.js';

/** @typedef {import('../parts/money.js').Priced} Priced */
/** @typedef {import('./checkoutDraft.js').CheckoutDraft} CheckoutDraft */
/** @typedef {ReturnType<typeof checkoutForm>} CheckoutForm */
/**
 * A field, as the form uses it.
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLElement} node
 * @property {HTMLInputElement | HTMLTextAreaElement} [input]
 * @property {string | boolean | null | undefined} value
 * @property {boolean} isVisible
 * @property {string | null} error
 * @property {boolean} disabled
 * @property {(message?: string | null, alternatives?: string[]) => void} showError
 * @property {import('../parts/formField.js').LocalError} [localError]
 * @property {() => void} focus
 * @property {() => void} scrollIntoViewport
 */

/**
 * All fields by name, with their stored values. The first three are shown only if the shop offers a choice.
 * @param {CheckoutDraft} stored
 */
function createFields(stored) {
  const byName = {
    fulfilment: radioField('fulfilment', t('Delivery or pickup?'),
      [['delivery', t('Delivery')], ['pickup', t('Pickup')]]),
    postcode: formField('postcode', t('Postcode'), {autocomplete: 'postal-code', maxlength: 20, hint: ' '}),
    wantedAt: timeField('wantedAt', t('When?')),
    name: formField('name', t('Name'), {autocomplete: 'name', maxlength: 200}),
    phone: formField('phone', t('Phone'),
      {type: 'tel', autocomplete: 'tel', hint: t('With the area code, like (555) 010-7788'), maxlength: 60}),
    email: formField('email', t('Email'), {type: 'email', autocomplete: 'email', maxlength: 300}),
    address: formField('address', t('Address'),
      {autocomplete: 'street-address', hint: t('Street, number and city'), maxlength: 400}),
    coupon: formField('coupon', t('Coupon'),
      {optional: true, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 60}),
    birthday: formField('birthday', t('Birthday'),
      {optional: true, hint: t('Month and day, like 02-29, for a birthday coupon'), placeholder: t('MM-DD'),
        autocomplete: 'off', maxlength: 12}),
    tip: formField('tip', t('Tip'),
      {optional: true, hint: t('An amount for the kitchen and the courier'), inputmode: 'decimal', autocomplete: 'off',
        maxlength: 17}),
    comment: formField('comment', t('Comment'),
      {optional: true, rows: 2, hint: t('For example: the bell does not work'), maxlength: 600}),
    ageConfirmed: formField('ageConfirmed', t('I am old enough'), {type: 'checkbox'}),
  };
  const {fulfilment, wantedAt, ...others} = byName;
  fulfilment.value = stored.fulfilment;
  wantedAt.value = stored.wantedAt;
  for (const name of /** @type {Array<keyof typeof others>} */ (Object.keys(others))) {
    others[name].value = stored[name];
  }
  return byName;
}

/** The checkbox for keeping the guest's details on the device. Unchecking it deletes them at once. */
function rememberingField() {
  const rememberField = formField('remember', t('Keep my details and my orders on this device'),
    {type: 'checkbox', optional: true});
  rememberField.value = checkoutDraft().remember ?? rememberedGuest() !== null;
  rememberField.input.addEventListener('change', () => {
    saveCheckoutDraft({...checkoutDraft(), remember: rememberField.isChecked});
    if (!rememberField.isChecked) forgetGuest();
  });
  return rememberField;
}

/**
 * Whether a required text is missing. The checkbox for the age is not validated here: the shop knows the basket.
 * @param {Field} field
 */
const isMissing = ({input, value}) => Boolean(input?.required) && input?.type !== 'checkbox' && !value;

/**
 * The form with the stored values. `byName` has the fields by name, `touched` the names of fields that the guest has
 * left. `changed` is called when the form must be validated; `currencySource` returns a value with the currency.
 * @param {{changed: () => unknown, currencySource: () => Priced | null}} options
 */
export function checkoutForm({changed, currencySource}) {
  const {tip: typed, ...form} = checkoutDraft();
  const byName = createFields({...rememberedGuest(), ...form, ...pendingAttempt()?.body, tip: typed});
  /** @type {Field[]} */
  const fields = Object.values(byName);
  // A stored coupon is validated at once.
  /** @type {Set<string>} */
  const touched = new Set(byName.coupon.value ? ['coupon'] : []);
  const basketId = () => basket.value?.id ?? loadValue('basket');
  const tips = tipButtons(byName.tip);
  const fulfilment = fulfilmentFields(byName, {basketId, deliveryFields: [byName.address], changed: (name) => {
    touched.add(name);
    saveCheckoutDraft(currentDraft());
    changed();
  }});
  const rememberField = rememberingField();
  let timer = 0;

  /** @returns {CheckoutDraft} */
  const values = () =>
    Object.fromEntries(fields.filter(({isVisible}) => isVisible).map((field) => [field.name, field.value])
      .filter(([, value]) => value));
  const currentDraft = () => ({...values(), remember: rememberField.isChecked});
  const tip = () => {
    const priced = currencySource();
    return priced ? parseTip(byName.tip.input.value, priced) : undefined;
  };
  byName.tip.localError = () => (tip() === null ? t('Please enter an amount in digits, or leave the field empty.')
    : null);
  byName.birthday.node.hidden = !byName.birthday.value;

  for (const field of fields) {
    const {input} = field;
    if (!input) continue;
    input.addEventListener('blur', () => {
      if (!field.value && !touched.has(field.name) && (!input.required || input.type === 'checkbox')) return;
      touched.add(field.name);
      changed();
    });
    input.addEventListener('input', () => {
      saveCheckoutDraft(currentDraft());
      clearTimeout(timer);
      // Fields that change the total are validated while typing. Other fields are validated while typing once they have
      // an error.
      if (field.name === 'coupon' || field.name === 'birthday') touched.add('coupon');
      else if (field.name === 'tip' || field.name === 'ageConfirmed') touched.add(field.name);
      else if (field.name !== 'postcode' && !field.error) return;
      timer = setTimeout(changed, 300);
    });
  }

  return {
    fields, byName, touched, fulfilment, tips, rememberField,
    node: el('div.fields', {}, fulfilment.node, fields.slice(3).map((field) => field.node), rememberField.node),
    /** The values as a request has them. */
    get body() {
      const wantedAt = byName.wantedAt.isVisible && byName.wantedAt.drawn ? byName.wantedAt.drawn : undefined;
      return {...values(), wantedAt, tip: byName.tip.isVisible ? tip() ?? undefined : undefined};
    },
    /** Whether no field is missing or has an error that the page itself detects. */
    get isComplete() {
      return fields.every((field) => !field.isVisible || !(isMissing(field) || field.localError?.()));
    },
    /** Shows missing fields and local errors, without the shop. */
    showMissing() {
      for (const field of fields.filter(({isVisible}) => isVisible)) {
        const message = field.localError?.() ?? (isMissing(field) ? t('Please fill in this field.') : null);
        if (message) field.showError(message);
      }
    },
    /** Whether a fulfilment or a time is chosen. Both are on the screen only once the offered times are known. */
    get hasChosenTerms() { return Boolean(byName.fulfilment.value || byName.wantedAt.value); },
    /** @param {boolean} value */
    set disabled(value) { for (const field of [...fields, tips]) field.disabled = value; },
    /** Cancels the delayed validation of the last input. */
    cancelValidation: () => clearTimeout(timer),
  };
}

/**
 * Shows the birthday field only for a birthday coupon.
 * @param {Pick<CheckoutForm, 'byName'>} form
 * @param {Array<{code?: string}>} errors
 */
export function showBirthdayField({byName: {birthday}}, errors) {
  const isWanted = errors.some(({code}) => code === 'coupon_needs_birthday');
  birthday.node.hidden = !isWanted && !birthday.value;
  return isWanted;
}

/**
 * Shows the age field only if the basket has an age-restricted item.
 * @param {Pick<CheckoutForm, 'byName'>} form
 * @param {number | null | undefined} minimumAge
 */
export function showAgeField({byName: {ageConfirmed}}, minimumAge) {
  ageConfirmed.node.hidden = !minimumAge;
  ageConfirmed.setLabel(t('I am {age} or older', {age: minimumAge}));
}

/**
 * The other times that an error offers.
 * @param {API.FieldError | undefined} error
 */
export function alternativesOf(error) {
  const alternatives = error?.params?.alternatives;
  return Array.isArray(alternatives) ? alternatives : undefined;
}

/**
 * The error of a validated field.
 * @param {string} name
 * @param {API.Field | undefined} field
 * @returns {API.FieldError | undefined}
 */
const errorOf = (name, field) => (field?.code
  ? {field: name, code: field.code, message: field.message ?? '', params: field.params ?? {}} : undefined);

/**
 * Shows the errors of the touched fields, or of all. A local error wins over the server's error. Returns the errors of
 * hidden fields.
 * @param {CheckoutForm} form
 * @param {API.Validation} answer
 * @param {boolean} all
 */
export function showFieldErrors(form, {fields: validated, errors = [], quote}, all) {
  const {fields, byName, touched} = form;
  const needsBirthday = showBirthdayField(form, [validated.coupon ?? {}]);
  /** @type {Record<string, API.Field | undefined>} */
  const validatedByName = validated;
  /** @type {API.FieldError[]} */
  const hidden = [];
  for (const entry of fields) {
    const error = errorOf(entry.name, validatedByName[entry.name])
      ?? errors.find(({field: name}) => name === entry.name);
    if (error && !entry.isVisible) hidden.push({...error, field: entry.name});
    const message = entry.localError?.({all}) ?? (error && errorSentence(error, quote));
    if (all || touched.has(entry.name)) entry.showError(message, alternativesOf(error));
    else if (!message) entry.showError(null);
  }
  // The error of the field with the focus may be covered by the tabs.
  if (!all) fields.find((field) => field.error && field.node.contains(document.activeElement))?.scrollIntoViewport();
  if (needsBirthday) byName.birthday.showError(t('Please tell us the day for this coupon.'));
  return hidden;
}
