// Night mode: the system's at first, the guest's choice from then on. early.js sets it before the page is drawn.

import {onOtherTab} from './store.js';

const system = matchMedia('(prefers-color-scheme: dark)');
const name = 'welms.theme';

function chosen() {
  try {
    return localStorage.getItem(name);
  } catch {
    return document.documentElement.dataset.theme ?? null;
  }
}

/** Binds the button. */
export function startTheme(button) {
  const isNight = () => (chosen() ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const draw = () => {
    const choice = chosen();
    if (choice === 'dark' || choice === 'light') document.documentElement.dataset.theme = choice;
    button.setAttribute('aria-pressed', String(isNight()));
  };
  button.addEventListener('click', () => {
    const next = isNight() ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(name, next);
    } catch {
      // It lasts as long as the page.
    }
    draw();
  });
  system.addEventListener('change', draw);
  onOtherTab('theme', draw);
  draw();
}
