import type { RecordRow } from '../database/store-row.entity.js';
import { getRecord, type RecordKind } from './records.js';
import type { StoreContext } from './store-context.js';

/**
 * What a person is asked before a call with this input, in words, after the store's name (docs/behaviour.md
 * §8); null if nobody needs to be asked.
 * @throws OperationError as the call itself, so that nobody is asked about what would be refused anyway
 */
export type Question = (ctx: StoreContext, input: never) => Promise<string | null>;

/**
 * Asks about a record of the input's `id`: "Delete the brand "Nordwind"?"
 * @param named the column with the name that people know it by
 */
export const aboutRecord =
  <Row extends RecordRow>(verb: string, kind: RecordKind<Row>, named: keyof Row & string): Question =>
  async (ctx, { id }: { id: string }) => {
    const record = await getRecord(ctx, kind, id);
    return `${verb} the ${kind.name.toLowerCase()} "${String(record[named])}"?`;
  };
