import type { StoreContext } from '../../../platform/store/store-context.js';
import { statement } from '../../../platform/database/statement.js';

const SHOWN_STORE = statement(
  'get_shown_store',
  `select coalesce(g.name, s.name) as "name!", s.time_zone as "timeZone"
   from stores s left join store_settings g on g.store_id = s.id where s.id = $store`,
);

const LONGEST_NAME = 100;

export interface ShownStore {
  /** As shoppers see it, on one line. */
  name: string;
  /** An IANA name. */
  timeZone: string;
}

/** What a model and its person read of the store. */
export async function shownStore({ session }: StoreContext): Promise<ShownStore> {
  const [{ name, timeZone }] = await session.read(SHOWN_STORE);
  return { name: name.replace(/\s+/g, ' ').slice(0, LONGEST_NAME), timeZone };
}
