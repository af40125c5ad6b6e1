// Runs in each page of a random walk (random_walk.py) before the page's scripts. It counts the requests that run, and
// lets the walk hide the tab. It blocks links to other sites, and "Forget everything", after which the device
// shows no order. It reports taps on Order, but not a key in another field that clicks the button.

(() => {
  const fetchNow = window.fetch, pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  let isVisible = true, requests = 0;
  window.print = () => {};
  Object.defineProperty(document, 'visibilityState', {get: () => (isVisible ? 'visible' : 'hidden')});
  window.fetch = (...all) => {
    requests += 1;
    return fetchNow(...all).finally(() => { requests -= 1; });
  };
  addEventListener('click', (event) => {
    const target = event.target.closest?.('a, button');
    const leaves = target?.href && new URL(target.href).origin !== location.origin;
    const forgets = location.hash === '#/orders' && target?.matches('.asking .danger');
    if (leaves || forgets) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const isOrder = target?.matches('form.checkout [type=submit]');
    if (isOrder && (event.detail > 0 || document.activeElement === target)) console.debug('walk: order');
  }, true);
  const isUsable = (element) => element.checkVisibility({checkVisibilityCSS: true}) && !element.matches(':disabled')
    && element.getClientRects().length > 0;
  // A dialog makes the rest of the page inert.
  const usable = (selector) => [...([...document.querySelectorAll('dialog[open]')].pop() ?? document)
    .querySelectorAll(selector)].filter(isUsable);
  const nameOf = (element) => `${element.tagName.toLowerCase()}${element.id && `#${element.id}`} `
    + JSON.stringify((element.getAttribute('aria-label') || element.innerText || '').slice(0, 40));
  window.walk = {
    show(next) {
      isVisible = next;
      document.dispatchEvent(new Event('visibilitychange'));
      if (next) dispatchEvent(new Event('focus'));
    },
    /** An element that matches, in the middle of the view. `isInside` leaves out the header and the footer. */
    async find(selector, pick, limit, isInside) {
      const end = Date.now() + limit;
      let found = usable(selector);
      for (; !found.length && Date.now() < end; found = usable(selector)) await pause(20);
      const inside = found.filter((element) => element.closest('main, dialog, .reload, .order-strip'));
      if (isInside && inside.length) found = inside;
      const element = found[Math.floor(pick * found.length)];
      if (!element) return null;
      element.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
      const {left, top, width, height} = element.getClientRects()[0];
      if (element.matches('select')) element.focus();
      return {x: left + width / 2, y: top + height / 2, name: nameOf(element)};
    },
    fill(values) {
      for (const [name, value] of Object.entries(values)) {
        const input = document.getElementById(`field-${name}`);
        if (!input || !isUsable(input)) continue;
        input.focus();
        input.select();
        document.execCommand(value ? 'insertText' : 'delete', false, value);
      }
      const age = document.getElementById('field-ageConfirmed');
      if (age && isUsable(age) && !age.checked) age.click();
    },
    /** Waits until no request runs and nothing is busy. Returns the page's message about itself. */
    async idle(limit) {
      const end = Date.now() + limit, isBusy = () => requests > 0 || document.querySelector('[aria-busy=true]');
      do await pause(10); while (isBusy() && Date.now() < end);
      return document.querySelector('.reload p')?.textContent ?? '';
    },
  };
})();
