import { currencyExponent, toMajor } from '../platform/money.js';
import { type Language, WORDS } from './words.js';

/** An order that was just placed. */
export interface NewOrder {
  id: number;
  /** In minor units. */
  total: bigint;
  currency: string;
  /** The shopper's; null if they have none. */
  name: string | null;
}

/** What a member is told. */
export interface Notice {
  title: string;
  text: string;
  /** The page about it, below the dashboard. */
  path: string;
}

/** How many orders a notice names. */
const NAMED = 5;
/** In characters: longer names are cut. */
const LONGEST_NAME = 60;

/** One notice of all the orders, so that a burst of them is one message. */
export function noticeOf(
  store: { id: string; name: string },
  orders: NewOrder[],
  language: Language,
): Notice {
  const words = WORDS[language];
  const [only] = orders;
  const isOne = orders.length === 1;
  const title = isOne ? words.placed(only.id) : words.placedMany(orders.length);
  const lines = orders
    .slice(0, NAMED)
    .map((order) => (isOne ? '' : `${order.id} · `) + facts(order, language));
  if (orders.length > NAMED) lines.push(words.more(orders.length - NAMED));
  const path = `${store.id}/orders${isOne ? `/${only.id}` : ''}`;
  return { title: `${cut(store.name)} · ${title}`, text: lines.join('\n'), path };
}

/** The question is one that a person is asked, so it has no shopper's words. */
export function approvalNotice(
  store: { id: string; name: string },
  question: string,
  language: Language,
): Notice {
  return {
    title: `${cut(store.name)} · ${WORDS[language].approval}`,
    text: question,
    path: `${store.id}/approvals`,
  };
}

const facts = ({ total, currency, name }: NewOrder, language: Language) =>
  [amount(total, currency, language), ...(name === null ? [] : [cut(name)])].join(' · ');

function amount(total: bigint, currency: string, language: Language): string {
  const digits = currencyExponent(currency);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, { style: 'currency', currency, ...options }).format(
    toMajor(total, currency) as `${number}`,
  );
}

/** By characters as people count them, so that none is cut in two. A line break would forge a line. */
function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...new Intl.Segmenter().segment(line)];
  return characters.length <= LONGEST_NAME
    ? line
    : `${characters
        .slice(0, LONGEST_NAME - 1)
        .map(({ segment }) => segment)
        .join('')}…`;
}
