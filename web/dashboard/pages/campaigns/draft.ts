import { useEffect, useState } from 'react';
import type { Input } from '../../api/client';
import { useStore } from '../../api/store';
import type { Message } from './message';

/** A call that sends a campaign to so many people. */
export interface Part {
  input: Input<'send_campaign'>;
  /** Its Idempotency-Key: with the same one it goes on with those who are pending, with another from anew. */
  key: string;
  recipientCount: number;
  /** Set if an earlier send was interrupted. */
  campaignId?: string;
}

interface Draft {
  message: Message;
  listed: string[];
  /** What is still to be sent of a campaign that has begun; a draft from before may have none. */
  left?: Part[];
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

export const peopleOf = (parts: Part[]) => parts.reduce((sum, { recipientCount }) => sum + recipientCount, 0);
