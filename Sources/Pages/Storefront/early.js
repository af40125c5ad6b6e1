// Runs before anything is drawn: sets the stored theme and language, so that the page does not flash, and requests the
// data of the first screen. This is not a module, because modules run too late.
(() => {
  const {documentElement: root, head} = document;
  const currentScript = /** @type {HTMLScriptElement} */ (document.currentScript);
  /** @param {string} name @param {Record<string, string>} how */
  const fetchSoon = (name, how) =>
    head.append(Object.assign(document.createElement('link'), how, {href: new URL(name, currentScript.src).href}));
  /** @param {string} name */
  const stored = (name) => {
    try {
      return localStorage.getItem(`welms.${name}`);
    } catch {
      // Storage is disabled: the page follows the system.
      return null;
    }
  };
  const theme = stored('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  // The staff page has one language. For signed-in staff the navigation is shown from the start.
  const offered = root.dataset.languages?.split(' ') ?? [];
  try {
    if (!offered.length && sessionStorage.getItem('welms.staff')) {
      root.dataset.in = ['', '#orders'].includes(location.hash) ? 'orders' : 'elsewhere';
    }
  } catch {
    // Storage is disabled: the navigation appears later.
  }
  const wanted = [stored('language') ?? '', ...navigator.languages].map((tag) => /[a-z]+/i.exec(tag)?.[0]);
  const language = wanted.find((entry) => offered.includes(entry ?? '')) ?? 'en';
  // The Accept-Language header of the API requests; empty for the browser's own. The shop's menu may have a language of
  // the browser that the page lacks.
  const browserLocale = navigator.languages.find((tag) => tag.split('-')[0] === language);
  const acceptLanguage = browserLocale || stored('language') ? browserLocale ?? language : '';
  if (offered.length > 0) root.dataset.asked = acceptLanguage;
  // An unknown path becomes a route: the router resolves paths such as `/menu`, or shows that the page does not exist.
  if (offered.length > 0 && location.pathname !== '/') {
    history.replaceState(null, '', `/${location.hash || `#${location.pathname}`}`);
  }
  // The data is requested while the scripts load; api.js takes the responses.
  const [screen = '', id = ''] = location.hash.replace(/^#?\/?/, '').split(/[/?]/);
  /** @type {Record<string, string[]>} */
  const screens = {
    '': ['/v1/home'],
    menu: ['/v1/categories?limit=100', '/v1/home', '/v1/menu?limit=100'],
    items: /^[\w-]{1,64}$/.test(id) ? [`/v1/menu/${id}`] : [],
  };
  const shown = offered.length > 0 ? [...Object.hasOwn(screens, screen) ? screens[screen] : [], '/v1/shop'] : [];
  if (screen === 'items' && shown.length > 0) fetchSoon('dish/dishForm.js', {rel: 'modulepreload'});
  if (screen === 'basket' && shown.length > 0) fetchSoon('basket/basketScreen.js', {rel: 'modulepreload'});
  globalThis.early = new Map(shown.map((path) => {
    const headers = {Accept: 'application/json', ...acceptLanguage ? {'Accept-Language': acceptLanguage} : {}};
    const limit = new AbortController();
    setTimeout(() => limit.abort(), 10_000);
    const answer = fetch(path, {headers, cache: 'no-store', signal: limit.signal});
    answer.catch(() => {});
    return [path, answer];
  }));
  if (language === 'en') return;
  root.lang = language;
  // base.css hides the document until translation.js has translated it.
  root.dataset.waiting = '';
  // WebKit would load a preloaded dictionary again.
  const dictionary = new URL(`words/${language}.json`, currentScript.src).href;
  const texts = fetch(dictionary);
  texts.catch(() => {});
  globalThis.early.set(dictionary, texts);
})();
