import { useLocation } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { StoreContext } from '../../api/store';

/** The path of the page that has named the browser's tab. */
let named = '';

export const isNamed = (path: string) => path === named;

/** Names the browser's tab by what the page shows: `Order 1042`. */
export function useTabTitle(name: string | undefined): void {
  const store = useContext(StoreContext);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    if (!name || !store) return;
    named = path;
    document.title = `${name} · ${store.name}`;
  }, [name, path, store]);
}
