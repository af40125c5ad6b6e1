// Draws again without replacing nodes. A node that is drawn again keeps its focus, and whether it is open and busy.

import {takeListeners} from '../dom.js';

/** The attributes that a node had when it was drawn last, without later changes by the user or by a script. */
const drawn = new WeakMap();
/** Attributes whose property a user can change, so that the attribute alone has no effect any more. */
const properties = {
  checked: (node, value) => { node.checked = value !== null; },
  value: (node, value) => { node.value = value ?? ''; },
};
const focusable = 'a[href], button, input, select, textarea, summary';

const attributesOf = (node) => new Map([...node.attributes].map(({name, value}) => [name, value]));
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

/** What tells a node from its siblings: `data-key`, else its id, else its tag and its first class. */
const keyOf = (node) => (isElement(node)
  ? node.dataset.key ?? (node.id || `${node.nodeName} ${node.classList[0] ?? ''}`) : node.nodeName);

/** Items as nodes: lists are flattened, and false, null and undefined are left out. */
const nodesOf = (items) => [items].flat(Infinity).filter((item) => item !== false && item != null)
  .map((item) => (item instanceof Node ? item : document.createTextNode(String(item))));

/** Pairs of a key and a node. Of several nodes with one key, the second and later ones get a number. */
function keyed(nodes, key) {
  const counts = new Map();
  return [...nodes].map((node) => {
    const own = key(node) ?? keyOf(node);
    const count = counts.get(own) ?? 0;
    counts.set(own, count + 1);
    return [count ? `${own} (${count})` : own, node];
  });
}

/**
 * Makes `items` the children of `parent`: nodes, texts, lists of them, or null. A child that has the key of an item
 * stays, and only what is different is changed in it. An item that is a child of `parent` already stays as it is. An
 * element with `data-version` is a component with a state of its own: it stays untouched while its version is the same,
 * and is replaced otherwise.
 */
export function patch(parent, items, key = keyOf) {
  const active = document.activeElement;
  const focused = parent.contains(active) && active !== parent ? active : null;
  const path = [];
  const end = parent.closest('.card, li') ?? parent;
  for (let node = focused; node && node !== end; node = node.parentNode) path.push(node.parentNode);
  reconcile(parent, nodesOf(items), key);
  if (focused && document.activeElement !== focused) restoreFocus(focused, path);
  return parent;
}

function reconcile(parent, items, key) {
  const kept = new Set(items.filter((item) => item.parentNode === parent));
  const children = new Map(keyed(parent.childNodes, key).filter(([, child]) => !kept.has(child)));
  const next = keyed(items, key).map(([name, item]) => {
    if (kept.has(item)) return item;
    const child = children.get(name);
    if (!child || !isSameKind(child, item)) return remember(item);
    update(child, item, key);
    return child;
  });
  const wanted = new Set(next);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  next.forEach((node, index) => {
    const there = parent.childNodes[index] ?? null;
    if (there !== node) parent.insertBefore(node, there);
  });
}

const isSameKind = (child, item) => child.nodeName === item.nodeName && child.namespaceURI === item.namespaceURI
  && (!isElement(child) || child.dataset.version === item.dataset.version);

/** Notes how a new node was drawn, and all in it. */
function remember(node) {
  if (isElement(node)) {
    drawn.set(node, attributesOf(node));
    for (const child of node.childNodes) remember(child);
  }
  return node;
}

/** Changes what is different in the item. */
function update(node, item, key) {
  if (!isElement(node)) {
    if (node.data !== item.data) node.data = item.data;
    return;
  }
  if (node.dataset.version !== undefined) return;
  const [before, after] = [drawn.get(node) ?? attributesOf(node), attributesOf(item)];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const value = after.get(name) ?? null;
    if (value === (before.get(name) ?? null)) continue;
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, value);
    if (node.nodeName === 'INPUT') properties[name]?.(node, value);
  }
  drawn.set(node, after);
  takeListeners(node, item);
  reconcile(node, [...item.childNodes], key);
}

/** Focuses a node again if it was only moved; otherwise what is nearest to where it was, else the screen's heading. */
function restoreFocus(focused, path) {
  if (focused.isConnected) return focused.focus({preventScroll: true});
  const around = path.filter((node) => node.isConnected);
  const isShown = (node) => node.getClientRects().length > 0;
  // A card that can have the focus gets it: a key that was meant for a button must press no other button of the card.
  const card = around.find((node) => node.hasAttribute('tabindex'));
  const next = card ?? around.flatMap((node) => [...node.querySelectorAll(focusable)]).find(isShown);
  const heading = (around.at(-1)?.closest('.part, main') ?? document).querySelector('h1');
  if (!next && heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  return (next ?? heading)?.focus({preventScroll: true});
}
