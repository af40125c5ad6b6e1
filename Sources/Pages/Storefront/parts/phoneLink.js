// A phone number that can be called with one tap.

import {el} from './dom.js';

/** @param {string} phone */
export const phoneLink = (phone) => el('a', {href: `tel:${phone.replace(/[^+\d]/g, '')}`}, phone);
