// The styles of what is loaded when it is opened: dish.css. Imported by dish.js and filter.js; what is drawn before its styles have come would move.

import {el} from './dom.js';

await new Promise((done) => {
  document.head.append(el('link', {rel: 'stylesheet', href: new URL('dish.css', import.meta.url).href, onload: done, onerror: done}));
});
