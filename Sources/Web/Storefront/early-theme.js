// Sets the remembered night or day before anything is drawn, so that the page never flashes. No module: those run too late.
// Read next: theme.js, the button.
try {
  const kept = localStorage.getItem('welms.theme');
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
} catch {
  // Storage is switched off: the page follows the system.
}
