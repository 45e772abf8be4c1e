import { keepPreviousData, QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { painted } from '../painted';
import { isSlow, useIsPhone } from '../phone';
import { useStore } from './store';
import {
  arrived,
  ask,
  call,
  type CallName,
  type InputOf,
  type OutputOf,
  type RouteInput,
  type RouteName,
} from './client';
import { Refusal } from './refusal';

const MAX_TRIES = 2;
/** In seconds. If the wait is longer, the page shows it, and the person retries by hand. */
const LONGEST_WAIT = 5;

/**
 * Whether a retry may succeed: after a lost connection or a used-up budget, but not after any other refusal.
 */
function mayPass(error: Error): boolean {
  if (!(error instanceof Refusal) || error.code === 'unreachable') return true;
  return error.code === 'rate_limited' && error.retryAfter !== null && error.retryAfter <= LONGEST_WAIT;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A browser that believes to be offline fails at once, and says so, instead of waiting without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) => count < MAX_TRIES && mayPass(error),
      retryDelay: (count, error) =>
        1_000 * ((error instanceof Refusal ? error.retryAfter : null) ?? 2 ** count),
    },
    mutations: { networkMode: 'always' },
  },
});

interface Options<Data = never> {
  enabled?: boolean;
  /** In milliseconds. Nothing is refetched while the tab is hidden. */
  refetchInterval?: number | false;
  /** What has been read in another way, and when. */
  initialData?: Data;
  initialDataUpdatedAt?: number;
}

/** A page of a list. All lists have this shape. */
export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

type RowOf<Data> = Data extends { items: (infer Row)[] } ? Row : never;

/**
 * The cache key of a read. It begins with the store's id, so that after a change everything of that store can
 * be read again.
 */
export const keyOf = (storeId: string, name: string, input: object) => [storeId, name, input];

let drawn: Promise<void> | undefined;

/** Asks after the first paint, which it would delay. What that needs has been asked for before (boot.js). */
const askDrawn: typeof ask = async (...request) => {
  await (drawn ??= painted());
  return ask(...request);
};

/** Reads the result of an operation or a route. */
export function useRead<Name extends CallName>(
  name: Name,
  input: InputOf<Name>,
  options: Options<OutputOf<Name>> = {},
) {
  const { id } = useStore();
  return useQuery({
    queryKey: keyOf(id, name, input),
    queryFn: () => askDrawn(id, name, input),
    initialData: () => arrived(id, name, input),
    ...options,
  });
}

/** Reads a list page by page, for `DataList`. */
export function usePages<Name extends CallName>(name: Name, input: InputOf<Name>, options: Options = {}) {
  const { id } = useStore();
  // A phone shows four or five rows at once. Laying out many more below them would take as long as loading
  // the page, and so would fetching them over a slow connection.
  const isPhone = useIsPhone();
  const take = isPhone || isSlow() ? 20 : 50;
  const read = (cursor: string | undefined) => askDrawn(id, name, { take, ...input, cursor });
  const query = useInfiniteQuery({
    queryKey: keyOf(id, `${name} pages`, input),
    queryFn: ({ pageParam }) => read(pageParam) as Promise<OutputOf<Name> & Page<RowOf<OutputOf<Name>>>>,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    ...options,
  });
  return { ...query, rows: query.data?.pages.flatMap(({ items }) => items) ?? [] };
}

/** Reads a whole list, page after page. */
export async function readAll<Name extends CallName>(storeId: string, name: Name, input: InputOf<Name>) {
  const rows: RowOf<OutputOf<Name>>[] = [];
  let cursor: string | undefined;
  do {
    const page = (await ask(storeId, name, { ...input, take: 100, cursor })) as Page<RowOf<OutputOf<Name>>>;
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/** Reads all brands or categories, by name: for choosing one of them. */
export function useAll(list: 'list_brands' | 'list_categories') {
  const { id } = useStore();
  const { data } = useQuery({
    queryKey: keyOf(id, `all of ${list}`, {}),
    queryFn: () => readAll(id, list, {}),
    select: (rows) => rows.toSorted((a, b) => a.name.localeCompare(b.name)),
  });
  return data ?? [];
}

/** Reads a list until the row with this id is found; null if there is none. */
export async function readRow<Name extends CallName>(
  storeId: string,
  name: Name,
  input: InputOf<Name>,
  id: string,
) {
  type Row = RowOf<OutputOf<Name>> & { id: string };
  let cursor: string | undefined;
  do {
    const page = (await ask(storeId, name, { ...input, take: 100, cursor })) as Page<Row>;
    const found = page.items.find((row) => row.id === id);
    if (found) return found;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return null;
}

/** The row of a list with this id; null if there is none. */
export function useRow<Name extends CallName>(name: Name, input: InputOf<Name>, id: string) {
  const store = useStore();
  // While a fresher list is read the row stays, and with it what is typed beside it.
  return useQuery({
    queryKey: [...keyOf(store.id, name, input), id],
    queryFn: () => readRow(store.id, name, input, id),
    placeholderData: keepPreviousData,
  });
}

/** A list that comes as a whole, for `DataList`. */
export const wholeList = <Row, Query extends { data?: unknown }>(query: Query) => ({
  ...query,
  rows: ((query.data as Page<Row> | undefined)?.items ?? []) as Row[],
  ...{ hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => undefined },
});

/** Reads a list that comes as a whole. */
export function useList<Name extends CallName>(name: Name, input: InputOf<Name>, options: Options = {}) {
  const query = useRead(name, input, options);
  return wholeList<RowOf<OutputOf<Name>>, typeof query>(query);
}

/** Reads the person's own data by a route that does not belong to a store. */
export function useAccount<Name extends RouteName>(name: Name) {
  return useQuery({ queryKey: ['account', name], queryFn: () => call(name, {} as RouteInput<Name>) });
}
