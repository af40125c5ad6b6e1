// A picture with its room kept free, so that nothing moves when it comes; without one, or one that can't be had, the title's first letter
// on a warm ground. It lies on the shop's own server or, where staff say so, at another's https address: never on one that could be read on
// the way. No other host is told where the guest comes from: the page's Referrer-Policy says so.

import {el} from './dom.js';

/** `shape` is item, wide or tall; `eager` for what is seen first. */
export function picture(address, title, {shape = 'item', eager = false} = {}) {
  const [width, height] = shape === 'wide' ? [480, 270] : [320, 240];
  const frame = el(`span.picture.${shape}`, {'aria-hidden': 'true'});
  const letter = () => {
    const tint = [...title].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 5;
    frame.classList.add('lettered', `tint${tint}`);
    frame.replaceChildren(el('span.letter', {}, [...title.trim()][0]?.toUpperCase() ?? '·'));
  };
  if (address && /^(\/(?!\/)|https:\/\/)/.test(address)) {
    frame.append(el('img', {
      src: address, alt: '', width, height, loading: eager ? 'eager' : 'lazy', decoding: 'async', onerror: letter,
    }));
  } else letter();
  return frame;
}
