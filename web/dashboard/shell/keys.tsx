import { useLayoutEffect, useRef, useState } from 'react';
import { useGo } from '../address';
import { useStore } from '../api/store';
import { later } from '../parts/lazy-component';
import { opens, PAGES } from '../registry';

const KeysDialog = later(() => import('./keys-dialog').then((file) => file.KeysDialog));

const SHOW = 'shop:show-keys';
/** The second letter counts within this time after `g`. */
const SEQUENCE_MS = 1_200;
/** One row or record on, or back. */
const STEPS: Record<string, number> = { j: 1, k: -1 };
/** Inputs in which letters are not typed. */
const PRESSED = ['checkbox', 'radio', 'button', 'submit', 'file'];

export const showKeys = () => void dispatchEvent(new Event(SHOW));

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !PRESSED.includes(target.type)));

/** The Latin letter of a key, whatever the keyboard's layout; of other keys what they type. */
const letterOf = ({ key, code }: KeyboardEvent) =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() : (/^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? key);

/** Focuses the next row of the page's list, or on the page of a record opens the next record. */
function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('#page .row-link')];
  if (rows.length === 0) return document.querySelector<HTMLElement>(`[data-step="${by}"]`)?.click();
  const at = rows.findIndex((row) => row.closest('.row')!.contains(document.activeElement));
  rows[at === -1 ? 0 : at + by]?.focus();
}

/**
 * Ctrl+K searches everywhere. `g` and a letter open a page, `j` and `k` go through a list, `/` searches, and
 * `?` lists the shortcuts; these are off while somebody types in a field.
 */
export function Keys({ onFind }: { onFind: () => void }) {
  const store = useStore();
  const go = useGo();
  const [isShown, setShown] = useState(false);
  const pressedG = useRef(0);
  const keyed = PAGES.filter((page) => page.key && opens(store, page));

  // Not an effect after drawing: a key may be pressed as soon as the page is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const letter = letterOf(event);
      const isCombined = event.ctrlKey || event.metaKey;
      const finds = isCombined ? letter === 'k' && !event.shiftKey : event.key === '/';
      if (event.altKey || (!isCombined && isTyping(event.target))) return;
      if (finds) {
        event.preventDefault();
        return onFind();
      }
      if (isCombined) return;
      if (event.key === '?') return setShown(true);
      const page =
        Date.now() - pressedG.current < SEQUENCE_MS ? keyed.find(({ key }) => key === letter) : undefined;
      pressedG.current = letter === 'g' ? Date.now() : 0;
      if (page) return go(page.path);
      if (letter in STEPS && !document.querySelector('[role=dialog]')) step(STEPS[letter]);
    };
    const onShow = () => setShown(true);
    addEventListener('keydown', onKey);
    addEventListener(SHOW, onShow);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener(SHOW, onShow);
    };
  });

  return isShown && <KeysDialog onClose={() => setShown(false)} />;
}
