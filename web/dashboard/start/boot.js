/* Written for browsers of any age, because it explains why the application cannot start in an old one. */

// A dark screen must never flash white.
(function chooseScheme() {
  var stored = window.localStorage && localStorage.getItem('mantine-color-scheme-value');
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// Mantine writes its variables into <style> elements by innerHTML. Only text without markup may
// pass. The only workers are the one that shows notices and the one that reads files to import.
(function allowStyles() {
  if (!window.trustedTypes) return;
  trustedTypes.createPolicy('default', {
    createHTML: function (text) {
      return text.indexOf('<') === -1 ? text : null;
    },
    createScriptURL: function (address) {
      var isOurs = address.indexOf(document.baseURI) === 0;
      var file = isOurs ? address.slice(document.baseURI.length) : '';
      return /^(notices-worker|assets\/worker-[\w-]+)\.js$/.test(file) ? address : null;
    },
  });
})();

// Fetches what the application will request first at the same time as the application itself, because a
// round trip takes long on a phone (docs/decisions/0011-pages.md).
(function fetchEarly() {
  var files = JSON.parse(document.querySelector('meta[name="early"]').content || '{}');
  var language =
    (window.localStorage && localStorage.getItem('language')) || navigator.language.split('-')[0];
  var path = location.href.split(/[?#]/)[0].slice(document.baseURI.length).split('/');
  var words = files['words/' + language] ? 'words/' + language : 'words/en';
  preload(files[words]);
  // Only a store's pages have a second part. All other pages are for people who may not be signed in, and
  // whose request would be refused.
  if (path.length < 2) return;
  preload(files[words + '/' + path[1]]);
  // The list of orders, and an order, are drawn without all other texts (isFirst of src/registry.ts).
  if (path[1] !== 'orders' || (path.length > 2 && !/^\d+$/.test(path[2]))) preload(files[words + '/rest']);
  preload(files['pages/' + path.slice(1).join('/')] || files['pages/' + path[1] + '/$']);
  early('preload', 'api/stores').as = 'fetch';
  // Once "Loading…" is there: the first fetch() of a page takes a phone a while.
  setTimeout(readEarly);

  function preload(files) {
    (files || []).forEach(function (file) {
      early('modulepreload', file);
    });
  }

  // What the page shows first, as it will ask for it (src/api/client.ts takes the answer). On the filters of
  // an address only the page itself can say.
  function readEarly() {
    var id = path[2];
    if (location.search || !window.fetch) return;
    // As usePages of src/api/queries.ts decides.
    var isSlow = navigator.connection && navigator.connection.downlink < 1;
    if (path[1] === 'orders' && path.length === 2)
      read('orders?take=' + (isSlow || matchMedia('(max-width: 48em)').matches ? 20 : 50));
    if (path[1] === 'orders' && /^\d+$/.test(id)) {
      run('get_order', { orderId: Number(id) });
      run('get_order_pricing', { orderId: Number(id) });
    }
    if (path[1] === 'products' && /^[0-9a-f-]{36}$/.test(id)) run('get_product', { id: id });
  }

  function run(operation, input) {
    var body = JSON.stringify(input);
    read('operations/' + operation, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: body,
    });
  }

  function read(part, request) {
    var address = document.baseURI + 'api/stores/' + path[0] + '/' + part;
    window.early = window.early || {};
    window.early[address + ' ' + (request ? request.body : '')] = fetch(address, request).catch(function () {
      return null;
    });
  }

  function early(rel, file) {
    var link = document.createElement('link');
    link.rel = rel;
    link.href = './' + file;
    // As fetch() asks; otherwise the answer would not be used.
    link.crossOrigin = 'anonymous';
    return document.head.appendChild(link);
  }
})();

(function explainFailures() {
  var TOO_OLD =
    'This browser is too old for the dashboard. Please use a current version of Chrome, Edge, Firefox ' +
    'or Safari.';
  var LOST =
    'The dashboard could not be loaded: the connection was lost, or it has just been updated. Please ' +
    'load the page again.';

  function say(sentence) {
    var place = document.querySelector('.boot');
    if (place) place.textContent = sentence;
  }

  // Errors of files do not bubble, so they are caught in the capture phase. Once the application is shown,
  // the paragraph no longer exists.
  addEventListener(
    'error',
    function (event) {
      say(event.target && event.target !== window ? LOST : TOO_OLD);
    },
    true,
  );
  addEventListener('DOMContentLoaded', function () {
    if (!('noModule' in HTMLScriptElement.prototype)) say(TOO_OLD);
  });
})();
