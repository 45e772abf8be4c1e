import { home, store } from './api';
import { askCloud, attempt, launch } from './client';
import { cell } from './state';

export interface Line {
  /** The internal id, by which the product's page is found. */
  id: string;
  productId: string;
  variantId?: string;
  title: string;
  variant?: string;
  image: string | null;
  /** The price of one piece when it was put in, in major units; the service is asked again. */
  price: number;
  quantity: number;
}

interface Kept {
  at: number;
  lines: Line[];
}

const KEY = `cart:${home}:${launch.user.id ?? ''}`;
const CLOUD_KEY = `cart_${store.replaceAll('-', '')}`;
/** The most characters that the messenger's cloud keeps under a key. */
const CLOUD_LENGTH = 4_096;

const isKept = (value: unknown): value is Kept => Array.isArray((value as Kept | null)?.lines);
const read = (text: unknown): Kept | null => {
  const value = attempt(() => JSON.parse(String(text)) as unknown);
  return isKept(value) ? value : null;
};

const onDevice = read(attempt(() => localStorage.getItem(KEY)));
const storedAt = onDevice?.at ?? 0;
let changedAt = storedAt;
export const cart = cell<Line[]>(onDevice?.lines ?? []);
let timer: ReturnType<typeof setTimeout>;

/** On the device at once, and soon in the messenger's cloud: some clients forget what pages store. */
function keep(lines: Line[]): void {
  cart.set(lines);
  changedAt = Date.now();
  const kept: Kept = { at: changedAt, lines };
  attempt(() => localStorage.setItem(KEY, JSON.stringify(kept)));
  clearTimeout(timer);
  timer = setTimeout(() => {
    const short = lines.map((line) => ({ ...line, image: null, title: line.title.slice(0, 60) }));
    const value = JSON.stringify({ ...kept, lines: short });
    if (value.length <= CLOUD_LENGTH) void askCloud('saveStorageValue', { key: CLOUD_KEY, value });
  }, 500);
}

/**
 * Takes the cart from the messenger's cloud if it is newer than the device's. Lines that were put in while
 * the cloud was asked stay.
 */
export async function restoreCart(): Promise<void> {
  const found = (await askCloud('getStorageValues', { keys: [CLOUD_KEY] })) as
    Record<string, string> | undefined;
  const kept = read(found?.[CLOUD_KEY]);
  if (!kept || kept.at <= storedAt) return;
  const added = changedAt > storedAt ? cart.get() : [];
  changedAt = kept.at;
  cart.set(kept.lines);
  for (const line of added) add(line);
}

const isSame = (a: Line, b: Line) => a.productId === b.productId && a.variantId === b.variantId;

export function add(line: Line): void {
  const lines = cart.get();
  const isThere = lines.some((other) => isSame(other, line));
  const more = (other: Line) =>
    isSame(other, line) ? { ...line, quantity: other.quantity + line.quantity } : other;
  keep(isThere ? lines.map(more) : [...lines, line]);
}

/** @param quantity 0 removes the line */
export const setQuantity = (line: Line, quantity: number) =>
  keep(
    cart
      .get()
      .flatMap((other) => (!isSame(other, line) ? [other] : quantity > 0 ? [{ ...other, quantity }] : [])),
  );

export const emptyCart = () => keep([]);
export const countOf = (lines: Line[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0);
