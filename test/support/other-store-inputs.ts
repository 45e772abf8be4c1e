import { EXAMPLES, words } from './examples.js';
import type { TestStore } from './test-app.js';

/** An input with one value from another store. */
export interface StrangeInput {
  /** The path of that value, as refusals name it: `audience.customerIds[0]`. */
  path: string;
  /** The caller's own input with the other store's value at `path`. */
  input: Record<string, any>;
}

/**
 * The example of one store with an id of another, once for each place, at any depth, where the inputs of the
 * two stores differ. Since everything else is equal, apart from the stores' words, these places are the ids.
 * @param operation whose example is prepared in both stores, which must have run the same examples before
 */
export async function otherStoreInputs(operation: string, store: TestStore, stranger: TestStore) {
  const theirs = await EXAMPLES[operation](stranger);
  const own = await EXAMPLES[operation](store);
  const inOwnWords = JSON.parse(JSON.stringify(theirs).replaceAll(words(stranger), words(store))) as Record<
    string,
    any
  >;
  const strange = differences(own, inOwnWords, '').map(({ path, put }): StrangeInput => {
    const input = structuredClone(own);
    put(input);
    return { path, input };
  });
  return { own, strange };
}

interface Difference {
  path: string;
  put: (into: any) => void;
}

function differences(own: any, others: any, path: string): Difference[] {
  return Object.keys(own).flatMap((key) => {
    const here = Array.isArray(own) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (typeof own[key] === 'object' && own[key] !== null) {
      const inner = differences(own[key], others[key], here);
      return inner.map((difference) => ({
        path: difference.path,
        put: (into: any) => difference.put(into[key]),
      }));
    }
    return own[key] === others[key]
      ? []
      : [{ path: here, put: (into: any) => void (into[key] = others[key]) }];
  });
}
