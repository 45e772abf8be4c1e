import { useBlocker } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { words } from '../../words';

/** The forms whose typed work is not saved. Each adds itself (form.tsx), so no page can forget to. */
const unsaved = new Set<HTMLFormElement>();

export const hasUnsaved = () => unsaved.size > 0;

const mayLose = (forms: HTMLFormElement[]) => forms.length === 0 || confirm(words.common.unsaved);

/** Asks before typed work is lost. */
export const mayLoseAll = () => mayLose([...unsaved]);

/** For work that is lost: leaving does not ask again. */
export const forgetUnsaved = () => unsaved.clear();

/** Keeps a form among the unsaved ones while the condition is true. */
export function useUnsaved(form: RefObject<HTMLFormElement | null>, isUnsaved: boolean): void {
  useEffect(() => {
    const element = form.current!;
    if (isUnsaved) unsaved.add(element);
    return () => void unsaved.delete(element);
  }, [form, isUnsaved]);
}

/** Asks before a link, "back" or a reload loses typed work. The frame calls it for all pages. */
export function useLeaveGuard(): void {
  useBlocker({
    // Filters change only the part of the address after the `?`, which also opens and closes dialogs.
    shouldBlockFn: ({ current, next }) =>
      !mayLose(
        [...unsaved].filter((form) => current.pathname !== next.pathname || form.closest('[role=dialog]')),
      ),
    enableBeforeUnload: () => unsaved.size > 0,
  });
}

/** Asks before closing a dialog loses what was typed in it. */
export function mayClose(dialog: HTMLElement | null): boolean {
  const lost = [...unsaved].filter((form) => dialog?.contains(form));
  if (!mayLose(lost)) return false;
  // Closing may change the address, which must not ask again.
  for (const form of lost) unsaved.delete(form);
  return true;
}
