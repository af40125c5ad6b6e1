// The fields of the checkout. Used by its screen. Read next: field.js, either.js, time.js.

import {either} from './either.js';
import {field} from './field.js';
import {timeField} from './time.js';
import {t} from './words.js';

/** All of them, as they were left; the first three are shown where the shop asks for them. */
export function fieldsOf(form) {
  return [
    either('fulfilment', t('Delivery or pickup?'), [['delivery', t('Delivery')], ['pickup', t('Pickup')]]),
    field('postcode', t('Postcode'), {autocomplete: 'postal-code', maxlength: 20, hint: ' '}),
    timeField('wantedAt', t('When?')),
    field('name', t('Name'), {autocomplete: 'name', maxlength: 200}),
    field('phone', t('Phone'), {type: 'tel', autocomplete: 'tel', hint: t('With its area code, like (555) 010-7788'), maxlength: 60}),
    field('email', t('Email'), {type: 'email', autocomplete: 'email', maxlength: 300}),
    field('address', t('Address'), {autocomplete: 'street-address', hint: t('Street, number and city'), maxlength: 400}),
    field('coupon', t('Coupon'), {optional: true, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 60}),
    field('birthday', t('Birthday'), {optional: true, hint: t('Month and day, like 02-29, for a birthday coupon'), placeholder: t('MM-DD'), autocomplete: 'off', maxlength: 12}),
    field('tip', t('Tip'), {optional: true, hint: t('An amount, for those who cook and carry'), inputmode: 'decimal', autocomplete: 'off', maxlength: 17}),
    field('comment', t('Comment'), {optional: true, rows: 2, hint: t('A bell that does not ring, a dog that does'), maxlength: 600}),
    field('ageConfirmed', t('I am old enough'), {type: 'checkbox'}),
  ].map((one) => {
    one.value = form[one.name];
    return one;
  });
}
