// A picture with reserved space, so that nothing moves when it loads. Without a picture it shows the title's first
// letter. A picture comes from the shop's server or from an https address that staff entered. The Referrer-Policy hides
// the page's address from other hosts.

import {el} from './dom.js';

/**
 * The displayed widths of photographs, by which the browser chooses a size.
 * @type {Record<string, string>}
 */
const widths = {item: '(min-width: 720px) 320px, 50vw', hero: '(min-width: 760px) 480px, 36vw',
  tall: '(min-width: 900px) 560px, 100vw', thumb: '56px'};

/**
 * Loads a picture when it becomes visible; after the first scroll, 600 px earlier. With `loading="lazy"` alone,
 * browsers load pictures thousands of pixels ahead, which delays the visible ones.
 * @param {string} margin
 */
const createObserver = (margin) => new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
    observer.unobserve(target);
    const {src, srcset} = target.dataset;
    if (src) target.src = src;
    if (srcset) target.srcset = srcset;
    delete target.dataset.src;
    delete target.dataset.srcset;
  }
}, {rootMargin: margin, scrollMargin: margin});
let observer = createObserver('0px');
addEventListener('scroll', () => {
  observer.disconnect();
  observer = createObserver('600px');
  for (const image of document.querySelectorAll('img[data-src], img[data-srcset]')) observer.observe(image);
}, {once: true, passive: true, capture: true});

/**
 * `shape` is item, hero, wide, tall or thumb. `eager` pictures load at once. A `photograph` is used instead of
 * `address`.
 * @param {string | null | undefined} address
 * @param {string} title
 * @param {{shape?: string, eager?: boolean, photograph?: API.Photograph}} options
 */
export function picture(address, title, {shape = 'item', eager = false, photograph = null} = {}) {
  const [width, height] = shape === 'wide' ? [480, 270] : [320, 240];
  const version = photograph?.sizes[0].url ?? address ?? '';
  const frame = el(`span.picture.${shape}`, {'aria-hidden': 'true', 'data-version': version});
  const showLetter = () => {
    const tint = [...title].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 5;
    frame.classList.add('lettered', `tint${tint}`);
    frame.replaceChildren(el('span.letter', {}, [...title.trim()][0]?.toUpperCase() ?? '·'));
  };
  if (photograph || /^(\/(?!\/)|https:\/\/)/.test(address ?? '')) {
    const [name, value] = photograph
      ? ['srcset', photograph.sizes.map((size) => `${size.url} ${size.width}w`).join(', ')] : ['src', address];
    const image = el('img', {
      sizes: photograph && `${eager ? '' : 'auto, '}${widths[shape] ?? widths.item}`,
      [eager ? name : `data-${name}`]: value, alt: '', width, height,
      loading: eager ? 'eager' : 'lazy', decoding: 'async',
      onerror: () => (photograph ? frame.replaceWith(picture(address, title, {shape, eager})) : showLetter()),
    });
    frame.append(image);
    if (!eager) observer.observe(image);
  } else showLetter();
  return frame;
}
