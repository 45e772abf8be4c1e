import { NOTHING } from './said-values.js';
import type { ReadableRow } from './readable-changes.js';

interface Message {
  name?: string;
  text?: string;
  imageUrl?: string;
  buttonText?: string;
  buttonUrl?: string;
  messages?: { customerId: string; text: string }[];
}

/** Operations that send what they are given; nothing of it is in their changes. */
const SENDING = ['send_campaign', 'send_messages'];

/** What is approved is the message itself, and how many get it. @returns null for all other operations */
export function messageRows(operation: string, input: object, answer: object): ReadableRow[] | null {
  if (!SENDING.includes(operation)) return null;
  const { name = '', text, imageUrl, buttonText, buttonUrl, messages = [] } = input as Message;
  const { recipientCount = 0 } = answer as { recipientCount?: number };
  const row = (field: string, after: string): ReadableRow => ({
    record: `Message "${name}"`,
    field,
    before: NOTHING,
    after,
  });
  return [
    row('sent to', `${recipientCount} ${recipientCount === 1 ? 'customer' : 'customers'}`),
    ...(text === undefined ? [] : [row('text', text)]),
    ...messages.map((message) => row(`to customer ${message.customerId}`, message.text)),
    ...(buttonText === undefined ? [] : [row('button', `${buttonText} → ${buttonUrl ?? NOTHING}`)]),
    ...(imageUrl === undefined ? [] : [row('picture', imageUrl)]),
  ];
}
