/* Written for browsers of any age: it says what is wrong where the application cannot start. */
(function () {
  var TOO_OLD = 'This browser is too old for the dashboard. Please use a current version of Chrome, Edge, Firefox or Safari.';
  var LOST =
    'The dashboard could not be loaded: the connection was lost, or it has just been updated. Please load the page again.';
  var root = document.documentElement;

  // A dark screen must never flash white.
  var stored = window.localStorage && localStorage.getItem('mantine-color-scheme-value');
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // Mantine writes its variables into <style> by innerHTML. Text without markup is all that may go that way.
  if (window.trustedTypes) {
    trustedTypes.createPolicy('default', {
      createHTML: function (text) {
        return text.indexOf('<') === -1 ? text : null;
      },
    });
  }

  // What the application will ask for first comes beside it, and not after it: a way to the server and back is long on a phone.
  fetchEarly(location.href.split(/[?#]/)[0].slice(document.baseURI.length).split('/'));

  function fetchEarly(path) {
    var files = JSON.parse(document.querySelector('meta[name="early"]').content || '{}');
    var language = (window.localStorage && localStorage.getItem('language')) || navigator.language.split('-')[0];
    preload(files['words/' + language] || files['words/en']);
    // Only a page of a store has a second part. The rest are for people who may not be signed in: a refusal must not wait for them.
    if (path.length < 2) return;
    preload(files['shell/frame']);
    var group = 'pages/' + path[1];
    preload((path.length > 2 && files[group + '/']) || files[group] || files[group + '/']);
    if (!window.fetch) return;
    var stores = new URL('api/stores', document.baseURI).href;
    window.early = {};
    window.early[stores] = fetch(stores);
    // Who waits for it is told; nobody else.
    window.early[stores].catch(function () {});
  }

  function preload(files) {
    (files || []).forEach(function (file) {
      var link = document.createElement('link');
      link.rel = 'modulepreload';
      // The styles are needed sooner, and are smaller.
      link.fetchPriority = 'low';
      link.href = './' + file;
      document.head.appendChild(link);
    });
  }

  function say(sentence) {
    var place = document.querySelector('.boot');
    if (place) place.textContent = sentence;
  }

  // Errors of files do not bubble: they are seen on the way down. Once the application shows, the paragraph is not.
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
