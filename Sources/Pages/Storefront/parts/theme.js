// Night mode: the system's setting, until the guest chooses. early.js applies it before the page is drawn.

import {onChangeInOtherTab} from './storage.js';

const system = matchMedia('(prefers-color-scheme: dark)');
const storageKey = 'welms.theme';

function storedTheme() {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return document.documentElement.dataset.theme ?? null;
  }
}

/**
 * Connects the button.
 * @param {HTMLElement} button
 */
export function startTheme(button) {
  const isNight = () => (storedTheme() ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const draw = () => {
    const choice = storedTheme();
    if (choice === 'dark' || choice === 'light') document.documentElement.dataset.theme = choice;
    button.setAttribute('aria-pressed', String(isNight()));
  };
  button.addEventListener('click', () => {
    const next = isNight() ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(storageKey, next);
    } catch {
      // Storage is disabled: the choice lasts as long as the page.
    }
    draw();
  });
  system.addEventListener('change', draw);
  onChangeInOtherTab('theme', draw);
  draw();
}
