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

/** All fields with their stored values. The first three are shown only if the shop offers a choice. */
function createFields(form) {
  return [
    radioField('fulfilment', t('Delivery or pickup?'), [['delivery', t('Delivery')], ['pickup', t('Pickup')]]),
    formField('postcode', t('Postcode'), {autocomplete: 'postal-code', maxlength: 20, hint: ' '}),
    timeField('wantedAt', t('When?')),
    formField('name', t('Name'), {autocomplete: 'name', maxlength: 200}),
    formField('phone', t('Phone'),
      {type: 'tel', autocomplete: 'tel', hint: t('With the area code, like (555) 010-7788'), maxlength: 60}),
    formField('email', t('Email'), {type: 'email', autocomplete: 'email', maxlength: 300}),
    formField('address', t('Address'),
      {autocomplete: 'street-address', hint: t('Street, number and city'), maxlength: 400}),
    formField('coupon', t('Coupon'),
      {optional: true, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 60}),
    formField('birthday', t('Birthday'),
      {optional: true, hint: t('Month and day, like 02-29, for a birthday coupon'), placeholder: t('MM-DD'),
        autocomplete: 'off', maxlength: 12}),
    formField('tip', t('Tip'),
      {optional: true, hint: t('An amount for the kitchen and the courier'), inputmode: 'decimal', autocomplete: 'off',
        maxlength: 17}),
    formField('comment', t('Comment'),
      {optional: true, rows: 2, hint: t('For example: the bell does not work'), maxlength: 600}),
    formField('ageConfirmed', t('I am old enough'), {type: 'checkbox'}),
  ].map((entry) => {
    entry.value = form[entry.name];
    return entry;
  });
}

/** The checkbox for keeping the guest's details on the device. Unchecking it deletes them at once. */
function rememberingField() {
  const rememberField = formField('remember', t('Keep my details and my orders on this device'),
    {type: 'checkbox', optional: true});
  rememberField.value = checkoutDraft().remember ?? rememberedGuest() !== null;
  rememberField.input.addEventListener('change', () => {
    saveCheckoutDraft({...checkoutDraft(), remember: rememberField.value});
    if (!rememberField.value) forgetGuest();
  });
  return rememberField;
}

/** Whether a required text is missing. The checkbox for the age is not validated here: the shop knows the basket. */
const isMissing = ({input, value}) => Boolean(input?.required) && input.type !== 'checkbox' && !value;

/**
 * The form with the stored values. `byName` has the fields by name, `touched` the names of fields that the guest has
 * left. `changed` is called when the form must be validated; `currencySource` returns a value with the currency.
 */
export function checkoutForm({changed, currencySource}) {
  const {tip: typed, ...form} = checkoutDraft();
  const fields = createFields({...rememberedGuest(), ...form, ...pendingAttempt()?.body, tip: typed});
  const byName = Object.fromEntries(fields.map((field) => [field.name, field]));
  // A stored coupon is validated at once.
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

  const values = () =>
    Object.fromEntries(fields.filter(({isVisible}) => isVisible).map((field) => [field.name, field.value])
      .filter(([, value]) => value));
  const currentDraft = () => ({...values(), remember: rememberField.value});
  const tip = () => parseTip(byName.tip.input.value, currencySource());
  byName.tip.localError = () => (tip() === null ? t('Please enter an amount in digits, or leave the field empty.')
    : null);
  byName.birthday.node.hidden = !byName.birthday.value;

  for (const field of fields.filter(({input}) => input)) {
    field.input.addEventListener('blur', () => {
      if (!field.value && !touched.has(field.name) && (!field.input.required || field.input.type === 'checkbox')) {
        return;
      }
      touched.add(field.name);
      changed();
    });
    field.input.addEventListener('input', () => {
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
    set disabled(value) { for (const field of [...fields, tips]) field.disabled = value; },
    /** Cancels the delayed validation of the last input. */
    cancelValidation: () => clearTimeout(timer),
  };
}

/** Shows the birthday field only for a birthday coupon. */
export function showBirthdayField({byName: {birthday}}, errors) {
  const isWanted = errors.some(({code}) => code === 'coupon_needs_birthday');
  birthday.node.hidden = !isWanted && !birthday.value;
  return isWanted;
}

/** Shows the age field only if the basket has an age-restricted item. */
export function showAgeField({byName: {ageConfirmed}}, minimumAge) {
  ageConfirmed.node.hidden = !minimumAge;
  ageConfirmed.setLabel(t('I am {age} or older', {age: minimumAge}));
}

/**
 * Shows the errors of the touched fields, or of all. A local error wins over the server's error. Returns the errors of
 * hidden fields.
 */
export function showFieldErrors(form, {fields: validated, errors = [], quote}, all) {
  const {fields, byName, touched} = form;
  const needsBirthday = showBirthdayField(form, [validated.coupon ?? {}]);
  const hidden = [];
  for (const entry of fields) {
    const error = validated[entry.name]?.code ? {field: entry.name, ...validated[entry.name]}
      : errors.find(({field: name}) => name === entry.name);
    if (error && !entry.isVisible) hidden.push({...error, field: entry.name});
    const message = entry.localError?.({all}) ?? (error && errorSentence(error, quote));
    if (all || touched.has(entry.name)) entry.showError(message, error?.params?.alternatives);
    else if (!message) entry.showError(null);
  }
  // The error of the field with the focus may be covered by the tabs.
  if (!all) fields.find((field) => field.error && field.node.contains(document.activeElement))?.scrollIntoViewport();
  if (needsBirthday) byName.birthday.showError(t('Please tell us the day for this coupon.'));
  return hidden;
}
