import { useEffect, useState } from 'react';
import { useStore } from '../../api/store';
import type { To } from './count';
import type { Message } from './message';

interface Draft {
  message: Message;
  listed: To['listed'];
}

const keyOf = (storeId: string) => `campaign ${storeId}`;

/** What was typed of the store's next campaign and not sent, as this browser keeps it. */
export function useDraft(): Draft | null {
  const { id } = useStore();
  return useState(() => JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null') as Draft | null)[0];
}

/** Keeps what is typed. Nothing is kept of a form that is as it was at first. */
export function useKeptDraft(draft: Draft, isEmpty: boolean): void {
  const { id } = useStore();
  const text = isEmpty ? null : JSON.stringify(draft);
  useEffect(() => {
    if (text === null) dropDraft(id);
    else localStorage.setItem(keyOf(id), text);
  }, [id, text]);
}

export const dropDraft = (storeId: string) => localStorage.removeItem(keyOf(storeId));
