import { useEffect, useRef, useState } from 'preact/hooks';
import { type Quote, type Refusal, send } from '../api';
import type { Line } from '../cart';
import { asRefusal } from '../state';

const PAUSE_MS = 250;

/** What of an order decides its price, beside its items. */
export interface Terms {
  paymentMethod: string;
  checkoutData?: { id: string; label: string; type: string; value: string }[];
  promocode?: string;
  bonusToSpend?: number;
  tipAmount?: number;
}

export const itemsOf = (lines: Line[]) =>
  lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));

interface State {
  key: string;
  quote: Quote | null;
  refusal: Refusal | null;
}

/**
 * What the order costs now. It is asked again when something changes that may change the price.
 * @param decisive what stands for `terms.checkoutData`, of which only some answers matter
 */
export function useQuote(lines: Line[], terms: Terms, decisive = '') {
  const { checkoutData: _, ...others } = terms;
  const [count, setCount] = useState(0);
  const key = JSON.stringify([itemsOf(lines), others, decisive, count]);
  const [state, setState] = useState<State>({ key: '', quote: null, refusal: null });
  const isFirst = useRef(true);
  useEffect(() => {
    if (lines.length === 0) return;
    let isWanted = true;
    const ask = () =>
      send<Quote>('orders/quote', { ...terms, items: itemsOf(lines) }).then(
        (quote) => isWanted && setState({ key, quote, refusal: null }),
        (error: unknown) => isWanted && setState(({ quote }) => ({ key, quote, refusal: asRefusal(error) })),
      );
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : PAUSE_MS);
    isFirst.current = false;
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  const isNow = state.key === key;
  const again = () => setCount((before) => before + 1);
  return { quote: state.quote, refusal: isNow ? state.refusal : null, isNow, again };
}

/** The line that a refusal is about, by its path; null if it is about none. */
export function lineOfRefusal({ values }: Refusal): number | null {
  const [, index] = /^items\[(\d+)\]/.exec(String(values.path ?? '')) ?? [];
  return index === undefined ? null : Number(index);
}
