// Redraws without replacing nodes. A node that is drawn again keeps its focus, and whether it is open or busy.

import {copyListeners} from './dom.js';

/** @typedef {(node: Node) => string | null | undefined} Key */
/** @typedef {Node | string | number | false | null | undefined} Item */
/** @typedef {Item | Array<Item | Item[]>} Items */

/**
 * The attributes of a node when it was last drawn, without later changes by the user or a script.
 * @type {WeakMap<Node, Map<string, string>>}
 */
const drawnAttributes = new WeakMap();
/**
 * Attributes whose property the user can change; after that the attribute alone has no effect.
 * @type {Record<string, (input: HTMLInputElement, value: string | null) => void>}
 */
const properties = {
  checked: (node, value) => { node.checked = value !== null; },
  value: (node, value) => { node.value = value ?? ''; },
};
const focusable = 'a[href], button, input, select, textarea, summary';

/** @param {Element} node */
const attributesOf = (node) => new Map([...node.attributes].map(({name, value}) => [name, value]));
/** @type {(node: Node) => node is HTMLElement | SVGElement} */
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

/**
 * The key of a node among its siblings: `data-key`, else its id, else its tag and first class.
 * @type {Key}
 */
const keyOf = (node) => (isElement(node)
  ? node.dataset.key ?? (node.id || `${node.nodeName} ${node.classList[0] ?? ''}`) : node.nodeName);

/**
 * Items as nodes: lists are flattened; false, null and undefined are left out.
 * @type {(items: Items) => Node[]}
 */
const nodesOf = (items) => [items].flat(Infinity).filter((item) => item !== false && item != null)
  .map((item) => (item instanceof Node ? item : document.createTextNode(String(item))));

/**
 * Pairs of a key and a node. Repeated keys get a number.
 * @param {Iterable<Node>} nodes
 * @param {Key} key
 * @returns {Array<[string, Node]>}
 */
function keyed(nodes, key) {
  const counts = new Map();
  return [...nodes].map((node) => {
    const own = key(node) ?? keyOf(node) ?? '';
    const count = counts.get(own) ?? 0;
    counts.set(own, count + 1);
    return [count ? `${own} (${count})` : own, node];
  });
}

/**
 * Makes `items` the children of `parent`: nodes, texts, lists of them, or null. A child with the key of an item stays,
 * and only the differences are applied. An item that already is a child stays as it is. An element with `data-version`
 * stays unchanged while its version is the same, and is replaced otherwise.
 * @template {HTMLElement} Parent
 * @param {Parent} parent
 * @param {Items} items
 * @param {Key} [key]
 */
export function patch(parent, items, key = keyOf) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && parent.contains(active) && active !== parent ? active : null;
  /** @type {HTMLElement[]} */
  const path = [];
  const end = parent.closest('.card, li') ?? parent;
  /** @type {HTMLElement | null} */
  let node = focused;
  while (node && node !== end) {
    node = node.parentElement;
    if (node) path.push(node);
  }
  patchChildren(parent, nodesOf(items), key);
  if (focused && document.activeElement !== focused) restoreFocus(focused, path);
  return parent;
}

/** @param {Element} parent @param {Node[]} items @param {Key} key */
function patchChildren(parent, items, key) {
  const kept = new Set(items.filter((item) => item.parentNode === parent));
  const children = new Map(keyed(parent.childNodes, key).filter(([, child]) => !kept.has(child)));
  const next = keyed(items, key).map(([name, item]) => {
    if (kept.has(item)) return item;
    const child = children.get(name);
    if (!child || !isSameKind(child, item)) return recordAttributes(item);
    update(child, item, key);
    return child;
  });
  const remaining = new Set(next);
  for (const child of [...parent.childNodes]) if (!remaining.has(child)) child.remove();
  next.forEach((node, index) => {
    const current = parent.childNodes[index] ?? null;
    if (current !== node) parent.insertBefore(node, current);
  });
}

/** @param {Node} child @param {Node} item */
const isSameKind = (child, item) => child.nodeName === item.nodeName && (!isElement(child)
  || (isElement(item) && child.namespaceURI === item.namespaceURI && child.dataset.version === item.dataset.version));

/**
 * Records the attributes of a new node and its descendants.
 * @template {Node} Drawn
 * @param {Drawn} node
 */
function recordAttributes(node) {
  if (isElement(node)) {
    drawnAttributes.set(node, attributesOf(node));
    for (const child of node.childNodes) recordAttributes(child);
  }
  return node;
}

/**
 * Applies the differences of the item to the node.
 * @param {Node} node
 * @param {Node} item
 * @param {Key} key
 */
function update(node, item, key) {
  if (!isElement(node) || !isElement(item)) {
    if (node.nodeValue !== item.nodeValue) node.nodeValue = item.nodeValue;
    return;
  }
  if (node.dataset.version !== undefined) return;
  const [before, after] = [drawnAttributes.get(node) ?? attributesOf(node), attributesOf(item)];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const value = after.get(name) ?? null;
    if (value === (before.get(name) ?? null)) continue;
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, value);
    if (node instanceof HTMLInputElement) properties[name]?.(node, value);
  }
  drawnAttributes.set(node, after);
  copyListeners(node, item);
  patchChildren(node, [...item.childNodes], key);
}

/** @type {(node: HTMLElement) => HTMLElement[]} */
const focusableIn = (node) => [...node.querySelectorAll(focusable)].flatMap((found) =>
  (found instanceof HTMLElement ? [found] : []));

/**
 * Restores the focus. If the node is gone, focuses the nearest control, else the screen's heading.
 * @param {HTMLElement} focused
 * @param {HTMLElement[]} path
 */
function restoreFocus(focused, path) {
  if (focused.isConnected) return focused.focus({preventScroll: true});
  const around = path.filter((node) => node.isConnected);
  /** @param {Element} node */
  const isShown = (node) => node.getClientRects().length > 0;
  // A focusable card gets the focus itself, because a key press that was meant for the old button must not press
  // another button.
  const card = around.find((node) => node.hasAttribute('tabindex'));
  const next = card ?? around.flatMap((node) => focusableIn(node)).find(isShown);
  const heading = (around.at(-1)?.closest('.part, main') ?? document).querySelector('h1');
  if (!next && heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  return (next ?? heading)?.focus({preventScroll: true});
}
