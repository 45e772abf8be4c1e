import { cut } from '../../../packages/import/src/cut';
import { type ChangeOptions, useChange } from './change';
import type { InputOf, OperationName, OutputOf } from './client';

/** The operations that change many items, each for itself. */
export type ManyName = {
  [Name in OperationName]: InputOf<Name> extends { items: object[] } ? Name : never;
}[OperationName];
export type ItemOf<Name extends ManyName> = InputOf<Name> extends { items: (infer Item)[] } ? Item : never;
export type ResultOf<Name extends ManyName> =
  OutputOf<Name> extends { items: (infer Result)[] } ? Result : never;

/**
 * Changes any number of items by an operation that takes so many at most, one call after the other. Of items
 * whose call was refused, and of those after them, there is no result.
 */
export function useBatches<Name extends ManyName>(
  name: Name,
  most: number,
  options: ChangeOptions<Name> = {},
) {
  const change = useChange(name, { refusals: 'form', ...options });
  const make = async (items: ItemOf<Name>[], rest: object = {}): Promise<ResultOf<Name>[]> => {
    const results: ResultOf<Name>[] = [];
    for (const part of cut(items, most)) {
      const input = { ...rest, items: part } as unknown as InputOf<Name>;
      const answer = (await change.make(input)) as { items: ResultOf<Name>[] } | undefined;
      if (!answer) break;
      results.push(...answer.items);
    }
    return results;
  };
  return { make, isPending: change.isPending, error: change.error, warned: change.warned };
}
