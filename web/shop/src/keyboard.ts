/** How long a keyboard takes to come up. */
const KEYBOARD_MS = 300;
const TYPED_INTO = 'input:not([type=checkbox], [type=radio]), textarea';

function show(): void {
  const field = document.activeElement;
  if (!field?.matches(TYPED_INTO)) return;
  const { top, bottom } = field.getBoundingClientRect();
  if (top < 0 || bottom > (visualViewport?.height ?? innerHeight)) field.scrollIntoView({ block: 'center' });
}

/**
 * A keyboard covers the lower half of some clients, and not all of them scroll what is typed into out of its
 * way. The document itself scrolls, because in an inner container they never do.
 */
export function keepFieldsInSight(): void {
  let timer: ReturnType<typeof setTimeout>;
  addEventListener('focusin', () => {
    clearTimeout(timer);
    timer = setTimeout(show, KEYBOARD_MS);
  });
  visualViewport?.addEventListener('resize', show);
}
