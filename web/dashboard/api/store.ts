import { createContext, useContext } from 'react';
import type { RouteSchemas } from './routes';

/** A store of the signed-in person, with their role in it. */
export type Store = RouteSchemas['Membership'];

export const StoreContext = createContext<Store | null>(null);

/** The open store. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('no store is open here');
  return store;
}
