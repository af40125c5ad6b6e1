// Creates elements. No module parses HTML: data becomes text nodes and attributes only.

import {required} from './required.js';

/** @typedef {Record<string, (event: Event) => unknown>} Handlers The listeners of a node by event type. */
/** @typedef {Node | string | false | null | undefined} Child */
/**
 * The element that `el` creates for a name such as 'a.card'.
 * @template {string} Name
 * @typedef {Name extends `${infer Tag}.${string}` ? ElementOf<Tag>
 *   : Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement} ElementOf
 */
/**
 * The attributes of an element: texts, numbers and flags, and listeners such as `onclick`.
 * @template {EventTarget} Target
 * @typedef {{[attribute: string]: unknown}
 *   & {[Type in keyof HTMLElementEventMap as `on${Type}`]?: Listener<HTMLElementEventMap[Type], Target>}} Attributes
 */
/**
 * @template {Event} Occurrence
 * @template {EventTarget} Target
 * @typedef {(event: Occurrence & {currentTarget: Target}) => unknown} Listener
 */
/** @typedef {keyof typeof iconPaths} IconName */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The listeners that `el` added to a node, by event type.
 * @type {WeakMap<EventTarget, Handlers>}
 */
const listeners = new WeakMap();
/** @param {Event} event */
const dispatch = (event) => event.currentTarget && listeners.get(event.currentTarget)?.[event.type]?.(event);

/**
 * Replaces the listeners that `el` added to a node.
 * @param {EventTarget} node
 * @param {Handlers} handlers
 */
function listen(node, handlers) {
  listeners.set(node, handlers);
  // A second registration of the same function has no effect.
  for (const type of Object.keys(handlers)) node.addEventListener(type, dispatch);
}

/**
 * Gives a node the listeners of another node.
 * @param {EventTarget} node
 * @param {EventTarget} other
 */
export const copyListeners = (node, other) => listen(node, listeners.get(other) ?? {});

/**
 * Creates an element: el('a.card', {href: '#/'}, 'Text', child). `on…` attributes are listeners. False, null and
 * undefined are left out.
 * @template {string} Name
 * @param {Name} name
 * @param {Attributes<ElementOf<Name>>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {ElementOf<Name>}
 */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const node = document.createElement(tag);
  /** @type {Handlers} */
  const handlers = {};
  if (classes.length) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value == null) continue;
    if (key.startsWith('on')) handlers[key.slice(2)] = /** @type {Handlers[string]} */ (value);
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  if (Object.keys(handlers).length) listen(node, handlers);
  append(node, children);
  return /** @type {ElementOf<Name>} */ (node);
}

/** @param {Element} node @param {Array<Child | Child[]>} children */
function append(node, children) {
  for (const child of children.flat()) if (child !== false && child != null) node.append(child);
}

/**
 * Replaces the children of a node; false, null and undefined are left out.
 * @template {Element} Parent
 * @param {Parent} node
 * @param {...(Child | Child[])} children
 */
export function replaceChildren(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/**
 * Makes these nodes the children of a list, in this order. A node that is already in its place is not moved, so it
 * keeps the focus and a touch.
 * @param {Element} list
 * @param {Element[]} nodes
 */
export function reconcile(list, nodes) {
  const kept = new Set(nodes);
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  for (const [index, node] of nodes.entries()) if (list.children[index] !== node) {
    list.insertBefore(node, list.children[index] ?? null);
  }
}

const iconPaths = {
  star: 'M12 3.500l2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6-4.4-4.2 6-.800z',
  heart: 'M12 20s-8-4.8-8-10.500A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8 2.500C20 15.2 12 20 12 20z',
  plus: 'M12 6v12M6 12h12',
  minus: 'M6 12h12',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  cross: 'M6 6l12 12M18 6L6 18',
  back: 'M14 6l-6 6 6 6',
  shuffle: 'M4 7h3l9 10h4M4 17h3l3-3.500M14 9.500L16 7h4M18 5l2 2-2 2M18 15l2 2-2 2',
  tick: 'M5 12.500l4.5 4.500L19 7.5',
};

/**
 * An icon, hidden from screen readers: the text beside it has the same meaning.
 * @param {keyof typeof iconPaths} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', `icon icon-${name}`);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', iconPaths[name]);
  svg.append(path);
  return svg;
}

/**
 * Announces a text to screen readers without moving the focus.
 * @param {string} text
 */
export function announce(text) {
  const region = required(document.getElementById('announcer'));
  region.textContent = '';
  setTimeout(() => { region.textContent = text; }, 60);
}
