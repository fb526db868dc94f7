// Sets theme, density and palette before the first paint. A file of its own, because the content security policy
// allows no inline script. src/hooks/preferences.ts writes what this reads, and applies later changes.
(() => {
  const root = document.documentElement;
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem('l4desk.preferences') ?? '{}').state ?? {};
  } catch {
    // Storage is closed to this page, or holds something else: the defaults stand.
  }
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  root.dataset.theme = kept.theme === 'light' || kept.theme === 'dark' ? kept.theme : system;
  root.dataset.density = kept.density === 'comfortable' ? 'comfortable' : 'compact';
  root.dataset.palette = ['blue-orange', 'mono', 'east-asian'].includes(kept.palette) ? kept.palette : 'teal-coral';
})();
