// Deletes features that Safari 16, Firefox ESR 115, Chrome 109 or Edge 109 lacks and that a script might use.
// It runs before the scripts of the page.
(() => {
  delete AbortSignal.any;
  delete AbortSignal.timeout;
  delete URLSearchParams.prototype.size;
  delete Element.prototype.checkVisibility;
  delete Promise.withResolvers;
  delete Promise.try;
  delete Object.groupBy;
  delete Map.groupBy;
  delete Array.fromAsync;
  delete URL.canParse;
  delete window.scheduler;
  delete window.CloseWatcher;
  delete document.startViewTransition;
  delete Document.prototype.startViewTransition;
  for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with']) delete Array.prototype[name];
  for (const name of ['union', 'intersection', 'difference', 'isSubsetOf']) delete Set.prototype[name];
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  const names = ['map', 'filter', 'take', 'drop', 'toArray', 'some', 'every', 'find', 'forEach', 'flatMap', 'reduce'];
  for (const name of names) delete iterator[name];
  for (const name of ['isWellFormed', 'toWellFormed']) delete String.prototype[name];
  delete window.requestIdleCallback;
})();
