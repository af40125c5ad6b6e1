// A phone number that one tap calls. Used by the screens about the shop and of an order.

import {el} from './dom.js';

export const phoneLink = (phone) => el('a', {href: `tel:${phone.replace(/[^+\d]/g, '')}`}, phone);
