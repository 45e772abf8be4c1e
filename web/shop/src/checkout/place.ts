import { useRef, useState } from 'preact/hooks';
import { home, type PlacedOrder, type Refusal, send } from '../api';
import { emptyCart } from '../cart';
import { attempt, openInvoice, vibrate } from '../client';
import { asRefusal, forget, go } from '../state';
import { forgetAnswers } from './draft';

const ATTEMPT = `order:${home}`;

/** The key of an order is kept until it is answered: one that may have been placed is never placed again. */
function keyOf(order: string): string {
  const kept = attempt(
    () => JSON.parse(sessionStorage.getItem(ATTEMPT) ?? 'null') as [string, string] | null,
  );
  if (kept?.[0] === order) return kept[1];
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
  attempt(() => sessionStorage.setItem(ATTEMPT, JSON.stringify([order, key])));
  return key;
}

/**
 * Places an order once, however often it is pressed: the same order has the same key, also after the page was
 * loaded again.
 */
export function usePlacing(askAgain: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const last = useRef<[order: string, key: string]>(['', '']);
  const isUnderWay = useRef(false);
  const place = async (order: object) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setRefusal(null);
    const text = JSON.stringify(order);
    if (last.current[0] !== text) last.current = [text, keyOf(text)];
    try {
      const placed = await send<PlacedOrder>('orders', order, last.current[1]);
      attempt(() => sessionStorage.removeItem(ATTEMPT));
      emptyCart();
      forgetAnswers();
      for (const key of ['orders', 'me', 'bonus']) forget(key);
      vibrate('success');
      if (placed.invoiceUrl) openInvoice(placed.invoiceUrl);
      go(`orders/${placed.id}`, { replace: true });
    } catch (error) {
      vibrate('error');
      const refused = asRefusal(error);
      setRefusal(refused);
      if (refused.problem !== 'unreachable') askAgain();
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return { place, isBusy, refusal };
}
