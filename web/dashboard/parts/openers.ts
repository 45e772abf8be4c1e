/** What had the focus before each dialog, nearest first. */
export const openers = new WeakMap<Element, HTMLElement[]>();

/** What a dialog that opens now gives the focus back to, nearest first. Of a menu it is the button. */
export function openersOf(active: Element | null): HTMLElement[] {
  if (!active || active === document.body) return [];
  const button = document.getElementById(
    active.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? '',
  );
  const dialog = active.closest('[role=dialog]');
  return [button ?? (active as HTMLElement), ...((dialog && openers.get(dialog)) ?? [])];
}
