import { QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from './store';
import {
  call,
  type Conditions,
  type Input,
  type OperationName,
  type Output,
  type RouteInput,
  type RouteName,
  type RouteOutput,
  run,
} from './client';
import { Refusal } from './refusal';

const MAX_TRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal will not change by asking again; a spent budget and a lost connection will.
      retry: (count, error) =>
        count < MAX_TRIES && (!(error instanceof Refusal) || ['rate_limited', 'unreachable'].includes(error.code)),
      retryDelay: (count, error) => 1_000 * ((error instanceof Refusal ? error.retryAfter : null) ?? 2 ** count),
    },
  },
});

interface Options {
  enabled?: boolean;
  /** In milliseconds; not while the tab is hidden. */
  refetchInterval?: number | false;
}

/** A page of a list, as every list answers. */
export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

type RowOf<Data> = Data extends { items: (infer Row)[] } ? Row : never;
/** A route below a store; the store is the one that is open. */
type StoreInput<Name extends RouteName> = Omit<RouteInput<Name>, 'storeId'>;

/** Everything that is read of a store is kept under its id, so that a change can have all of it read again. */
const keyOf = (storeId: string, name: string, input: object) => [storeId, name, input];

/** Reads an operation's data. */
export function useOperation<Name extends OperationName>(name: Name, input: Input<Name>, options: Options = {}) {
  const { id } = useStore();
  return useQuery({ queryKey: keyOf(id, name, input), queryFn: () => run(id, name, input), ...options });
}

/** Reads a route's data. */
export function useRoute<Name extends RouteName>(name: Name, input: StoreInput<Name>, options: Options = {}) {
  const { id } = useStore();
  const request = { ...input, storeId: id } as RouteInput<Name>;
  return useQuery({ queryKey: keyOf(id, name, input), queryFn: () => call(name, request), ...options });
}

function usePages<Row>(key: unknown[], read: (cursor: string | undefined) => Promise<Page<Row>>, options: Options) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    ...options,
  });
  return { ...query, rows: query.data?.pages.flatMap(({ items }) => items) ?? [] };
}

/** Reads the pages of an operation that answers a list; what `DataList` shows. */
export function useOperationPages<Name extends OperationName>(name: Name, input: Input<Name>, options: Options = {}) {
  const { id } = useStore();
  const read = (cursor: string | undefined) => run(id, name, { take: 50, ...input, cursor } as Input<Name>);
  return usePages(keyOf(id, `${name} pages`, input), read as (cursor?: string) => Promise<Page<RowOf<Output<Name>>>>, options);
}

/** Reads the pages of a route that answers a list. */
export function useRoutePages<Name extends RouteName>(name: Name, input: StoreInput<Name>, options: Options = {}) {
  const { id } = useStore();
  const read = (cursor: string | undefined) =>
    call(name, { take: 50, ...input, storeId: id, cursor } as unknown as RouteInput<Name>);
  return usePages(
    keyOf(id, `${name} pages`, input),
    read as (cursor?: string) => Promise<Page<RowOf<RouteOutput<Name>>>>,
    options,
  );
}

/** Reads a route that answers a whole list at once, as `DataList` shows it. */
export function useRouteList<Name extends RouteName>(name: Name, input: StoreInput<Name>, options: Options = {}) {
  const query = useRoute(name, input, options);
  const rows = ((query.data as { items: unknown[] } | undefined)?.items ?? []) as RowOf<RouteOutput<Name>>[];
  return wholeList(query, rows);
}

/** Reads an operation that answers a whole list at once, as `DataList` shows it. */
export function useOperationList<Name extends OperationName>(name: Name, input: Input<Name>, options: Options = {}) {
  const query = useOperation(name, input, options);
  const rows = ((query.data as { items: RowOf<Output<Name>>[] } | undefined)?.items ?? []) as RowOf<Output<Name>>[];
  return wholeList(query, rows);
}

/** What `DataList` wants of a list that has no second page. */
const wholeList = <Query extends object, Row>(query: Query, rows: Row[]) => ({
  ...query,
  ...{ rows, hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => undefined },
});

/** Has everything that is shown of the open store read again. */
export function useRefresh() {
  const client = useQueryClient();
  const { id } = useStore();
  return () => client.invalidateQueries({ queryKey: [id] });
}

type Given<Value> = Value & { conditions?: Conditions };

/** Runs an operation that changes something; what the store's pages show is read again afterwards. */
export function useRun<Name extends OperationName>(name: Name) {
  const { id } = useStore();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ conditions, ...input }: Given<Input<Name>>) => run(id, name, input as unknown as Input<Name>, conditions),
    onSuccess: () => void refresh(),
  });
}

/** Calls a route that changes something. */
export function useCall<Name extends RouteName>(name: Name) {
  const { id } = useStore();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ conditions, ...input }: Given<StoreInput<Name>>) =>
      call(name, { ...input, storeId: id } as unknown as RouteInput<Name>, conditions),
    onSuccess: () => void refresh(),
  });
}

/** Reads what is the person's own, whatever the store: a route without one. */
export function useAccount<Name extends RouteName>(name: Name) {
  return useQuery({ queryKey: ['account', name], queryFn: () => call(name, {} as RouteInput<Name>) });
}

/** Calls a route that changes something of the person's own. */
export function useAccountCall<Name extends RouteName>(name: Name) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: RouteInput<Name>) => call(name, input),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['account'] }),
  });
}
