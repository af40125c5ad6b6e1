// The fields of the checkout. Used by its screen. Read next: field.js.

import {field} from './field.js';

/** All of them, as they were left. */
export function fieldsOf(form) {
  return [
    field('name', 'Name', {autocomplete: 'name', maxlength: 200}),
    field('phone', 'Phone', {type: 'tel', autocomplete: 'tel', hint: 'With its area code, like (555) 010-7788', maxlength: 60}),
    field('email', 'Email', {type: 'email', autocomplete: 'email', maxlength: 300}),
    field('address', 'Address', {autocomplete: 'street-address', hint: 'Street, number and city', maxlength: 400}),
    field('coupon', 'Coupon', {optional: true, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 60}),
    field('birthday', 'Birthday', {optional: true, hint: 'Month and day, like 02-29, for a birthday coupon', placeholder: 'MM-DD', autocomplete: 'off', maxlength: 12}),
    field('tip', 'Tip', {optional: true, hint: 'An amount, for those who cook and carry', inputmode: 'decimal', autocomplete: 'off', maxlength: 17}),
    field('comment', 'Comment', {optional: true, rows: 2, hint: 'A bell that does not ring, a dog that does', maxlength: 600}),
    field('ageConfirmed', 'I am old enough', {type: 'checkbox'}),
  ].map((one) => {
    one.value = form[one.name];
    return one;
  });
}
