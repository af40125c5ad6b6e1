// The part of the DOM that the tested modules use: elements with attributes, children and listeners.

class FakeNode extends EventTarget {
  static ELEMENT_NODE = 1;
  static TEXT_NODE = 3;
  parentNode = null;
  childNodes = [];

  get parentElement() { return this.parentNode; }
  get children() { return this.childNodes.filter((node) => node instanceof FakeElement); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get isConnected() { return this.parentNode?.isConnected ?? false; }
  contains(other) { return other === this || this.childNodes.some((node) => node.contains(other)); }

  remove() {
    if (this.parentNode) this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1);
    this.parentNode = null;
  }

  insertBefore(node, next) {
    node.remove();
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, node);
    node.parentNode = this;
    return node;
  }

  append(...nodes) { for (const node of nodes) this.insertBefore(nodeOf(node), null); }
  before(node) { this.parentNode.insertBefore(node, this); }
  replaceChildren(...nodes) {
    for (const node of [...this.childNodes]) node.remove();
    this.append(...nodes);
  }
}

class FakeText extends FakeNode {
  nodeType = FakeNode.TEXT_NODE;
  nodeName = '#text';
  constructor(text) {
    super();
    this.nodeValue = text;
  }
  get textContent() { return this.nodeValue; }
}

/** A text as a text node; a node as it is. */
const nodeOf = (node) => (node instanceof FakeNode ? node : new FakeText(String(node)));

const attributeOf = (property) => `data-${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

class FakeElement extends FakeNode {
  nodeType = FakeNode.ELEMENT_NODE;
  namespaceURI = 'http://www.w3.org/1999/xhtml';
  value = '';
  checked = false;
  disabled = false;
  #attributes = new Map();

  constructor(name) {
    super();
    this.nodeName = name.toUpperCase();
    this.dataset = new Proxy({}, {
      get: (_, property) => this.#attributes.get(attributeOf(property)),
      set: (_, property, value) => {
        this.setAttribute(attributeOf(property), value);
        return true;
      },
    });
    this.classList = {
      contains: (one) => this.#classes.has(one),
      toggle: (one, isOn = !this.#classes.has(one)) => {
        this.className = [...this.#classes].filter((other) => other !== one).concat(isOn ? [one] : []).join(' ');
      },
      add: (one) => this.classList.toggle(one, true),
      remove: (one) => this.classList.toggle(one, false),
    };
  }

  get #classes() { return new Set(this.className.split(' ').filter(Boolean)); }
  get className() { return this.getAttribute('class') ?? ''; }
  set className(names) { this.setAttribute('class', names); }
  get id() { return this.getAttribute('id') ?? ''; }
  get hidden() { return this.hasAttribute('hidden'); }
  set hidden(isHidden) {
    if (isHidden) this.setAttribute('hidden', '');
    else this.removeAttribute('hidden');
  }
  get attributes() { return [...this.#attributes].map(([name, value]) => ({name, value})); }
  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  hasAttribute(name) { return this.#attributes.has(name); }
  removeAttribute(name) { this.#attributes.delete(name); }
  setAttribute(name, value) {
    this.#attributes.set(name, String(value));
    if (name === 'value') this.value = String(value);
  }
  closest() { return null; }
  focus() {}

  get textContent() { return this.childNodes.map((node) => node.textContent).join(''); }
  set textContent(text) { this.replaceChildren(...text === '' ? [] : [text]); }

  /** Whether the selector is the element's name or `.class`. */
  #matches(selector) {
    return selector.startsWith('.') ? this.classList.contains(selector.slice(1))
      : this.nodeName === selector.toUpperCase();
  }

  /** All elements below this one that the selector names: `input`, `.class`, or several with commas. */
  querySelectorAll(selector) {
    const selectors = selector.split(',').map((part) => part.trim());
    return this.children.flatMap((child) =>
      [...selectors.some((one) => child.#matches(one)) ? [child] : [], ...child.querySelectorAll(selector)]);
  }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
}

class FakeMouseEvent extends Event {
  clientY = 0;
}

/** The globals of a guest page in this language. */
export function fakeDocumentGlobals(language) {
  const root = new FakeElement('html');
  const announcer = new FakeElement('p');
  Object.assign(root, {lang: language});
  root.dataset.languages = 'en de es';
  root.dataset.asked = language;
  const document = Object.assign(new EventTarget(), {
    documentElement: root, body: new FakeElement('body'), visibilityState: 'visible', activeElement: null,
    createElement: (name) => new FakeElement(name),
    createElementNS: (_, name) => new FakeElement(name),
    createTextNode: (text) => new FakeText(text),
    querySelectorAll: () => [],
    getElementById: (id) => (id === 'announcer' ? announcer : null),
    querySelector: (selector) => (selector.startsWith('script') ? {src: 'page:/early.js'} : null),
  });
  return {
    document, Node: FakeNode, Text: FakeText, HTMLElement: FakeElement, HTMLInputElement: FakeElement,
    MouseEvent: FakeMouseEvent,
  };
}
