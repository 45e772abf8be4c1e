import { Drawer, Modal, type ModalProps } from '@mantine/core';
import { useRef } from 'react';
import { mayClose } from './forms/unsaved';

interface Props extends Pick<ModalProps, 'title' | 'size' | 'children'> {
  /** Whether it lies at the side of the page and not in the middle. On a phone it then fills the screen. */
  side?: boolean;
  /** Without it the dialog stays until what it asks for is done. */
  onClose?: () => void;
}

/** A dialog over the page. Closing it asks first if a form inside has typed work. */
export function Dialog({ side, onClose, ...content }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canClose = onClose !== undefined;
  const props = {
    ...content,
    ref: box,
    opened: true,
    onClose: () => void (mayClose(box.current) && onClose?.()),
    withCloseButton: canClose,
    closeOnClickOutside: canClose,
    closeOnEscape: canClose,
  };
  return side ? <Drawer {...props} position="right" /> : <Modal {...props} />;
}
