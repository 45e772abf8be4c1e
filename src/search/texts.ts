import { findKey } from '../platform/text/find-key.js';
import { phoneDigits } from '../platform/text/phones.js';

// What the document of a record says: findKey of all texts that find it, each word after a blank, in two
// lines. A number alone, and a search for names alone, find what is in the first line only.

export interface Names {
  firstName: string | null;
  lastName: string | null;
  username: string | null;
}

export interface CustomerTexts extends Names {
  externalId: string | null;
}

export interface ProductTexts {
  title: string;
  productId: string;
  tags: string | null;
  /** The stock keeping units and barcodes of the product and its variants. */
  codes: string[];
}

export interface OrderTexts extends Names {
  externalId: string | null;
  /** Titles, external ids and values of its lines. */
  lines: string[];
  shippingAddress: unknown;
  checkoutData: unknown;
}

/** The longest text of an address by which an order is found. */
const MOST_OF_ADDRESS = 500;
const MOST_OF_PHONE = 40;
const FORM_TEXTS = ['text', 'textarea', 'select'];

type Text = string | null | undefined;

/** A part of a character that is left of a text is not one. */
const line = (given: Text[]) =>
  ` ${given
    .map((text) => findKey((text ?? '').toWellFormed()))
    .filter((key) => key !== '')
    .join(' ')}`;
const document = (first: Text[], second: Text[] = []) => `${line(first)}\n${line(second)}`;

const namesOf = ({ firstName, lastName, username }: Names): Text[] => [
  firstName,
  lastName,
  username && `@${username.replace(/^@/, '')}`,
];

export const customerText = ({ externalId, ...names }: CustomerTexts): string =>
  document(namesOf(names), [externalId]);

export const productText = ({ title, productId, tags, codes }: ProductTexts): string =>
  document([title, productId, tags, ...codes]);

/** What the document of an order says. */
export function orderText({ externalId, lines, shippingAddress, checkoutData, ...names }: OrderTexts) {
  const { email, phone_number: _, ...address } = objectOf(shippingAddress);
  const answers = answersOf(checkoutData);
  const emails = [email, ...answers.filter(({ type }) => type === 'email').map(({ value }) => value)];
  const typed = answers.filter(({ type }) => FORM_TEXTS.includes(type)).map(({ value }) => value);
  return document(
    [...namesOf(names), externalId, ...texts(emails), ...lines],
    [[...texts(address), ...texts(typed)].join(' ').slice(0, MOST_OF_ADDRESS)],
  );
}

/** A tracking number as it is written, and without the blanks and dashes that carriers print. */
export function trackingText(number: string | null): string {
  if (number === null) return '';
  const joined = number.replace(/[\s-]+/g, '');
  return line(joined === number ? [number] : [number, joined]);
}

/** A phone number of an order as it was written, with the digits that find it. */
export interface OrderPhone {
  phone: string;
  digits: string;
}

const stored = (phone: string) => phone.slice(0, MOST_OF_PHONE).replaceAll('\0', '').toWellFormed();

/** The recipient's phone number, and those of the checkout form. */
export function phonesOf({
  shippingAddress,
  checkoutData,
}: Pick<OrderTexts, 'shippingAddress' | 'checkoutData'>) {
  const answers = answersOf(checkoutData).filter(({ type }) => type === 'phone');
  return texts([objectOf(shippingAddress).phone_number, ...answers.map(({ value }) => value)]).flatMap(
    (phone): OrderPhone[] => phoneDigits(phone).map((digits) => ({ phone: stored(phone), digits })),
  );
}

const objectOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

function answersOf(checkoutData: unknown): { type: string; value: unknown }[] {
  const answers: unknown[] = Array.isArray(checkoutData) ? checkoutData : [];
  return answers.map((answer) => {
    const { type, value } = objectOf(answer);
    return { type: typeof type === 'string' ? type : '', value };
  });
}

/** The strings and numbers in a value, at every depth. */
function texts(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}
