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

  function say(sentence) {
    var place = document.querySelector('#root .boot');
    if (place) place.textContent = sentence;
  }

  // Errors of files do not bubble: they are seen on the way down. Once the application shows, there is no such paragraph any more.
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
