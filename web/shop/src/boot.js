// Runs before the first paint: the messenger's colours and the shop's own, and the calls that the first page
// waits for, while the rest still loads. What the messenger hands over stands in the fragment, which never
// leaves the browser.
(() => {
  let fragment = location.hash.slice(1);
  if (!fragment.includes('tgWebAppData')) {
    try {
      fragment = sessionStorage.getItem('launch') || '';
    } catch {
      // A frame in a private window has no storage.
    }
  }
  const launch = new URLSearchParams(fragment);
  let theme = {};
  try {
    theme = JSON.parse(launch.get('tgWebAppThemeParams') || '{}');
  } catch {
    // The browser's own colours, then.
  }
  const { style } = document.documentElement;
  for (const name in theme)
    if (/^#[0-9a-f]{6}$/i.test(theme[name]))
      style.setProperty(`--tg-${name.replaceAll('_', '-')}`, theme[name]);
  const [accent, onAccent] = document.querySelector('meta[name="accent"]').content.split(' ');
  if (accent) {
    style.setProperty('--accent', accent);
    style.setProperty('--on-accent', onAccent);
  }
  const demo = document.querySelector('meta[name="demo-shopper"]').content;
  const initData = launch.get('tgWebAppData') || demo;
  const [, root, store, page] = /^(.*)\/shop\/([^/]+)\/?(.*)$/.exec(location.pathname) || [];
  if (!initData || !store) return;
  const early = (window.early = {});
  const ask = (path) => {
    const headers = { Authorization: `tma ${initData}` };
    return (early[path] = fetch(`${root}/storefront/${store}/${path}`, { headers }));
  };
  ask('shop').catch(() => {});
  if (page) return;
  ask('products?take=20')
    .then((answer) => answer.clone().json())
    .then(({ data }) => {
      for (const { image } of data.items.slice(0, 4)) {
        if (!image) continue;
        const picture = new Image();
        picture.fetchPriority = 'high';
        picture.src = image;
      }
    })
    .catch(() => {});
})();
