// A picture with its room kept free, so that nothing moves when it comes; without one, or one that can't be had, the title's first letter
// on a warm ground. It lies on the shop's own server or, where staff say so, at another's https address: never on one that could be read on
// the way. No other host is told where the guest comes from: the page's Referrer-Policy says so.

import {el} from './dom.js';

/** How wide a photograph stands there, for the browser to choose its size by. */
const widths = {item: '(min-width: 720px) 320px, 50vw', hero: '(min-width: 760px) 480px, 36vw', tall: '(min-width: 900px) 560px, 100vw', thumb: '56px'};

/** A photograph is fetched when it is about to be seen: what is merely lazy, browsers fetch thousands of pixels before. */
const about = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    if (!isIntersecting) continue;
    about.unobserve(target);
    target.srcset = target.dataset.srcset;
  }
}, {rootMargin: '200px'});

/** `shape` is item, hero, wide, tall or thumb; `eager` for what is seen first; `photograph`, where there is one, takes the picture's place. */
export function picture(address, title, {shape = 'item', eager = false, photograph = null} = {}) {
  const [width, height] = shape === 'wide' ? [480, 270] : [320, 240];
  const frame = el(`span.picture.${shape}`, {'aria-hidden': 'true'});
  const letter = () => {
    const tint = [...title].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 5;
    frame.classList.add('lettered', `tint${tint}`);
    frame.replaceChildren(el('span.letter', {}, [...title.trim()][0]?.toUpperCase() ?? '·'));
  };
  if (photograph) {
    const srcset = photograph.sizes.map((size) => `${size.url} ${size.width}w`).join(', ');
    const image = el('img', {
      sizes: `${eager ? '' : 'auto, '}${widths[shape] ?? widths.item}`, [eager ? 'srcset' : 'data-srcset']: srcset,
      alt: '', width, height, loading: eager ? 'eager' : 'lazy', decoding: 'async', onerror: () => frame.replaceWith(picture(address, title, {shape, eager})),
    });
    frame.append(image);
    if (!eager) about.observe(image);
  } else if (address && /^(\/(?!\/)|https:\/\/)/.test(address)) {
    frame.append(el('img', {
      src: address, alt: '', width, height, loading: eager ? 'eager' : 'lazy', decoding: 'async', onerror: letter,
    }));
  } else letter();
  return frame;
}
