import { Drawer, Modal, type ModalProps } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { mayClose } from './forms/unsaved';
import { openers, openersOf } from './openers';

interface Props extends Pick<ModalProps, 'title' | 'size' | 'children'> {
  /** Whether it lies at the side of the page and not in the middle. On a phone it then fills the screen. */
  side?: boolean;
  /** Without it the dialog stays until what it asks for is done. */
  onClose?: () => void;
}

/** A dialog over the page. Closing it asks first if a form inside has typed work. */
export function Dialog({ side, onClose, ...content }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useReturningFocus(box);
  const canClose = onClose !== undefined;
  const close = () => {
    if (!isBehind(box.current) && mayClose(box.current)) onClose?.();
  };
  const props = {
    ...content,
    ref: box,
    opened: true,
    onClose: close,
    withCloseButton: canClose,
    closeOnClickOutside: canClose,
    closeOnEscape: canClose,
  };
  return side ? <Drawer {...props} position="right" /> : <Modal {...props} />;
}

/** The part of a dialog that has the role. */
const dialogOf = (box: HTMLElement | null) =>
  box?.closest('[role=dialog]') ?? box?.querySelector('[role=dialog]');

/** Whether the focus is in another dialog, such as the palette: then Esc is for that one. */
function isBehind(box: HTMLElement | null): boolean {
  const focused = document.activeElement?.closest('[role=dialog]') ?? null;
  return focused !== null && focused !== dialogOf(box);
}

/**
 * Gives the focus back to what opened the dialog. If that was in a menu, it is the menu's button; if it was
 * in a dialog that this one replaced, it is what opened that one.
 */
function useReturningFocus(box: RefObject<HTMLDivElement | null>): void {
  const [before] = useState(() => openersOf(document.activeElement));
  useEffect(() => {
    const dialog = dialogOf(box.current);
    if (dialog) openers.set(dialog, before);
    return () => {
      // Not before the dialog is gone, with the focus that was in it.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const opener = before.find((one) => one.isConnected) ?? document.getElementById('page');
        opener?.focus({ preventScroll: true });
      });
    };
  }, [box, before]);
}
