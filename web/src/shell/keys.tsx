import { useEffect, useState } from 'react';
import { useGo } from '../address';
import { useStore } from '../api/store';
import { later } from '../parts/later';
import { opens, PAGES } from '../registry';

const KeysDialog = later(() => import('./keys-dialog').then((file) => file.KeysDialog));

const SHOW = 'shop:show-keys';
/** The second letter counts within this time after `g`. */
const SEQUENCE_MS = 1_200;

export const showKeys = () => void dispatchEvent(new Event(SHOW));

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `g` and a letter open a page; `?` lists the shortcuts. Both are off while somebody types in a field. */
export function Keys() {
  const store = useStore();
  const go = useGo();
  const [isShown, setShown] = useState(false);
  const keyed = PAGES.filter((page) => page.key && opens(store, page));

  useEffect(() => {
    let pressedG = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') return setShown(true);
      const page =
        Date.now() - pressedG < SEQUENCE_MS ? keyed.find(({ key }) => key === event.key) : undefined;
      pressedG = event.key === 'g' ? Date.now() : 0;
      if (page) go(page.path);
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
