import { useEffect, useState } from 'preact/hooks';
import { home, Refusal } from './api';

/** A value that components follow. */
export function cell<Value>(value: Value) {
  const followers = new Set<() => void>();
  const follow = (tell: () => void) => {
    followers.add(tell);
    return () => followers.delete(tell);
  };
  return {
    get: () => value,
    set(next: Value) {
      value = next;
      for (const tell of followers) tell();
    },
    follow,
  };
}

export function useCell<Value>({
  get,
  follow,
}: {
  get: () => Value;
  follow: (tell: () => void) => unknown;
}): Value {
  const [, setCount] = useState(0);
  useEffect(() => {
    const unfollow = follow(() => setCount((count) => count + 1));
    setCount((count) => count + 1);
    return unfollow as () => void;
  }, []);
  return get();
}

const currentPath = () => location.pathname.slice(home.length).replace(/^\/|\/$/g, '');
/** The page shown: '', 'p/<id>', 'cart', 'checkout', 'orders' or 'orders/<id>'. */
export const route = cell(currentPath());
export const addressOf = (path: string) => (path ? `${home}/${path}` : home);

const scrolls = new Map<string, number>();
history.scrollRestoration = 'manual';
addEventListener('popstate', () => {
  route.set(currentPath());
  // Once the page is drawn again.
  requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, scrolls.get(currentPath()) ?? 0)));
});
addEventListener('scroll', () => scrolls.set(currentPath(), scrollY), { passive: true });

const depth = () => (history.state as { depth?: number } | null)?.depth ?? 0;

/** The fragment stays in the address: a page that is loaded again still knows its shopper. */
export function go(path: string, { replace = false } = {}): void {
  const address = addressOf(path) + location.search + location.hash;
  if (replace) history.replaceState({ depth: depth() }, '', address);
  else history.pushState({ depth: depth() + 1 }, '', address);
  route.set(path);
  scrollTo(0, 0);
}

export const back = () => (depth() > 0 ? history.back() : go('', { replace: true }));

export interface Loaded<Data> {
  data?: Data;
  refusal?: Refusal;
  again: () => void;
}

const known = new Map<string, unknown>();
export const forget = (key: string) => known.delete(key);

/** What a call answered; while it is asked again, what it answered before. */
export function useLoaded<Data>(key: string, load: () => Promise<Data>): Loaded<Data> {
  const [outcome, setOutcome] = useState<{ key: string; refusal?: Refusal }>({ key });
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isWanted = true;
    load().then(
      (data) => {
        known.set(key, data);
        if (isWanted) setOutcome({ key });
      },
      (error: unknown) => {
        if (isWanted) setOutcome({ key, refusal: asRefusal(error) });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [key, count]);
  const refusal = outcome.key === key ? outcome.refusal : undefined;
  return { data: known.get(key) as Data | undefined, refusal, again: () => setCount((before) => before + 1) };
}

export const asRefusal = (error: unknown) =>
  error instanceof Refusal ? error : new Refusal('unreachable', {}, String(error));
