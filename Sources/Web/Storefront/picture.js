// A picture with its room kept free, so that nothing moves when it comes; without one, or one that can't be had, the title's first letter
// on a warm ground. It lies on the shop's own server or, where staff say so, at another's https address: never on one that could be read on
// the way. No other host is told where the guest comes from: the page's Referrer-Policy says so.

import {el} from './dom.js';

/** How wide a photograph stands there, for the browser to choose its size by. */
const widths = {item: '(min-width: 720px) 320px, 50vw', hero: '(min-width: 760px) 480px, 36vw', tall: '(min-width: 900px) 560px, 100vw', thumb: '56px'};

/** A picture is fetched when it is seen, and, from when the guest moves about, shortly before: what is merely lazy, browsers fetch thousands of pixels
 *  ahead, and what is seen first would wait for what nobody looks at. */
const watching = (margin) => new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    for (const name of ['src', 'srcset']) {
      if (target.dataset[name]) target[name] = target.dataset[name];
      delete target.dataset[name];
    }
  }
}, {rootMargin: margin, scrollMargin: margin});
let seen = watching('0px');
addEventListener('scroll', () => {
  seen.disconnect();
  seen = watching('600px');
  for (const image of document.querySelectorAll('img[data-src], img[data-srcset]')) seen.observe(image);
}, {once: true, passive: true, capture: true});

/** `shape` is item, hero, wide, tall or thumb; `eager` for what is seen first; `photograph`, where there is one, takes the picture's place. */
export function picture(address, title, {shape = 'item', eager = false, photograph = null} = {}) {
  const [width, height] = shape === 'wide' ? [480, 270] : [320, 240];
  const version = photograph?.sizes[0].url ?? address ?? '';
  const frame = el(`span.picture.${shape}`, {'aria-hidden': 'true', 'data-version': version});
  const letter = () => {
    const tint = [...title].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 5;
    frame.classList.add('lettered', `tint${tint}`);
    frame.replaceChildren(el('span.letter', {}, [...title.trim()][0]?.toUpperCase() ?? '·'));
  };
  if (photograph || /^(\/(?!\/)|https:\/\/)/.test(address ?? '')) {
    const [name, value] = photograph ? ['srcset', photograph.sizes.map((size) => `${size.url} ${size.width}w`).join(', ')] : ['src', address];
    const image = el('img', {
      sizes: photograph && `${eager ? '' : 'auto, '}${widths[shape] ?? widths.item}`, [eager ? name : `data-${name}`]: value, alt: '', width, height,
      loading: eager ? 'eager' : 'lazy', decoding: 'async', onerror: () => (photograph ? frame.replaceWith(picture(address, title, {shape, eager})) : letter()),
    });
    frame.append(image);
    if (!eager) seen.observe(image);
  } else letter();
  return frame;
}
