// Sets the remembered night or day, and the guest's language, before anything is drawn, so that the page never flashes; and asks for what the first
// screen shows, whichever the address names. No module: those run too late. Read next: theme.js, words.js, api.js.
(() => {
  const {documentElement: root, head, currentScript} = document;
  const fetchSoon = (name, how) => head.append(Object.assign(document.createElement('link'), how, {href: new URL(name, currentScript.src).href}));
  const kept = (name) => {
    try {
      return localStorage.getItem(`welms.${name}`);
    } catch {
      // Storage is switched off: the page follows the system.
      return null;
    }
  };
  const theme = kept('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  // The staff's page has one language. For who is in there already, what stands above the work stands there from the first.
  const offered = root.dataset.languages?.split(' ') ?? [];
  try {
    if (!offered.length && sessionStorage.getItem('welms.staff')) root.dataset.in = ['', '#orders'].includes(location.hash) ? 'orders' : 'elsewhere';
  } catch {
    // It moves down then.
  }
  const wanted = [kept('language') ?? '', ...navigator.languages].map((tag) => /[a-z]+/i.exec(tag)?.[0]);
  const language = wanted.find((one) => offered.includes(one)) ?? 'en';
  // What the shop is asked in. Whose browser knows none of the page's languages asks in its own: the shop may know that one.
  const own = navigator.languages.find((tag) => tag.split('-')[0] === language);
  const asked = own || kept('language') ? own ?? language : '';
  if (offered.length > 0) root.dataset.asked = asked;
  // The page of an address where nothing is: the router says so, or finds what was meant by `/menu`.
  if (offered.length > 0 && location.pathname !== '/') history.replaceState(null, '', `/${location.hash || `#${location.pathname}`}`);
  // It comes while the scripts do; api.js takes it.
  const [screen, id = ''] = location.hash.replace(/^#?\/?/, '').split(/[/?]/);
  const screens = {
    '': ['/v1/home'],
    menu: ['/v1/categories?limit=100', '/v1/home', '/v1/menu?limit=100'],
    items: /^[\w-]{1,64}$/.test(id) ? [`/v1/menu/${id}`] : [],
  };
  const shown = offered.length > 0 ? [...Object.hasOwn(screens, screen) ? screens[screen] : [], '/v1/shop'] : [];
  if (screen === 'items' && shown.length > 0) fetchSoon('dish.js', {rel: 'modulepreload'});
  if (screen === 'basket' && shown.length > 0) fetchSoon('screens/basket.js', {rel: 'modulepreload'});
  globalThis.early = new Map(shown.map((path) => {
    const headers = {Accept: 'application/json', ...asked ? {'Accept-Language': asked} : {}};
    const limit = new AbortController();
    setTimeout(() => limit.abort(), 10_000);
    const answer = fetch(path, {headers, cache: 'no-store', signal: limit.signal});
    answer.catch(() => {});
    return [path, answer];
  }));
  if (language === 'en') return;
  root.lang = language;
  // base.css hides what stands in the document until words.js has put it into this language.
  root.dataset.waiting = '';
  fetchSoon(`words/${language}.json`, {rel: 'preload', as: 'fetch', crossOrigin: 'anonymous'});
})();
