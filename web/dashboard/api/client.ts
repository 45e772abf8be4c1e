import type * as client from '../../../packages/client/src/client';
import type { Told } from '../../../src/platform/problems';
import { arrivedData, earlyAnswer } from './early';
import { Refusal } from './refusal';
import type { RouteInput, RouteName, RouteOutput } from './routes';
import { loadAllWords } from '../words';

export type { RouteInput, RouteName, RouteOutput } from './routes';
export type OperationName = client.Operation;
export type Input<Name extends OperationName> = client.Input<Name> & object;
export type Output<Name extends OperationName> = Name extends 'find_products'
  ? FoundProducts
  : client.Data<Name>;

/** No page asks for single `fields`, so that every other one is there. */
type FoundProducts = Omit<client.Data<'find_products'>, 'items'> & { items: Found[] };
type Item = client.Data<'find_products'>['items'][number];
type Found = Required<Omit<Item, AskedFor>> & Pick<Item, AskedFor>;
type AskedFor =
  | ('notOnSaleBecause' | 'description' | 'images' | 'saleUntil' | 'brand' | 'category')
  | ('subCategory' | 'tags' | 'shippingTime' | 'season' | 'createdAt');
/** Every call that a page can make for the open store: an operation or a route. */
export type CallName = OperationName | RouteName;

/** The input of an operation or route, without the store: that is always the open one. */
export type InputOf<Name extends CallName> = Name extends OperationName
  ? Input<Name>
  : Name extends RouteName
    ? Omit<RouteInput<Name>, 'storeId'>
    : never;
export type OutputOf<Name extends CallName> = Name extends OperationName
  ? Output<Name>
  : Name extends RouteName
    ? RouteOutput<Name>
    : never;

/** Further parts of a request, apart from its input. */
export interface Conditions {
  /** The body, if the route accepts a file. */
  file?: Blob;
  /** How many bytes each of the smaller pictures has that follow the file in it. */
  pictureSizes?: string;
  /** The `updatedAt` of the record as the person saw it. */
  ifMatch?: string;
  /** The same for every attempt to make one change, so that a lost answer does not repeat it. */
  idempotencyKey?: string;
}

type Envelope = { ok: true; data: unknown } | { ok: false; error: { code: string; message: string } & Told };

/**
 * Asks the person to sign in again in a dialog over the page, and resolves when they have. Set by the frame.
 */
let signInAgain: (() => Promise<void>) | null = null;
export const onSignedOut = (ask: (() => Promise<void>) | null) => void (signInAgain = ask);

/**
 * The address of a route with its input: path parameters in the path, others in the query of a GET. Relative
 * to <base>.
 */
export function addressOf<Name extends RouteName>(route: Name, input: RouteInput<Name>): URL {
  return requestOf(route, input).url;
}

function requestOf(route: string, input: object) {
  const [method, path] = route.split(' ');
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left.get(name));
    left.delete(name);
    return encodeURIComponent(value);
  });
  const url = new URL(`api/${filled}`, document.baseURI);
  if (method === 'GET') for (const [name, value] of left) url.searchParams.set(name, String(value));
  return {
    method,
    url,
    body: method === 'GET' || left.size === 0 ? undefined : JSON.stringify(Object.fromEntries(left)),
  };
}

/** The ids of the requests that were answered with these data. */
const requestIds = new WeakMap<object, string | null>();

/** The id under which the activity log has the call that this is the answer of. */
export const requestIdOf = (data: object) => requestIds.get(data) ?? null;

/** Calls a dashboard route. @throws Refusal */
export async function call<Name extends RouteName>(
  route: Name,
  input: RouteInput<Name>,
  conditions: Conditions = {},
): Promise<RouteOutput<Name>> {
  const { method, url, body } = requestOf(route, input);
  const { file } = conditions;
  const type = file ? file.type : body && 'application/json';
  const headers: Record<string, string> = {
    ...(type ? { 'Content-Type': type } : {}),
    ...(conditions.pictureSizes ? { 'Picture-Sizes': conditions.pictureSizes } : {}),
    ...(conditions.ifMatch ? { 'If-Match': `"${conditions.ifMatch}"` } : {}),
    ...(conditions.idempotencyKey ? { 'Idempotency-Key': conditions.idempotencyKey } : {}),
  };
  const fetched = () =>
    fetch(url, { method, headers, body: file ?? body }).catch(() => {
      throw new Refusal('unreachable', '');
    });
  const response = (await earlyAnswer(url, body)) ?? (await fetched());
  const answer = (await response.json().catch(() => null)) as Envelope | null;
  const requestId = response.headers.get('X-Request-Id');
  if (answer?.ok) {
    if (answer.data instanceof Object) requestIds.set(answer.data, requestId);
    return answer.data as RouteOutput<Name>;
  }
  const retryAfter = response.headers.get('Retry-After');
  const refusal = new Refusal(
    answer?.error.code ?? 'unreachable',
    answer?.error.message ?? '',
    requestId,
    retryAfter === null ? null : Number(retryAfter),
    answer?.error,
  );
  // The session has ended. After signing in again, the call is repeated, and nothing that was typed is lost.
  if (refusal.code === 'invalid_token' && signInAgain && !route.includes(' auth/')) {
    await signInAgain();
    return call(route, input, conditions);
  }
  // More is said of it than its code.
  if (refusal.told.problem !== refusal.code) await loadAllWords().catch(() => undefined);
  throw refusal;
}

/**
 * Runs an operation, or calls a route, of a store: `get_order`, `GET stores/{storeId}/members`.
 * @throws Refusal
 */
export function ask<Name extends CallName>(
  storeId: string | undefined,
  name: Name,
  input: InputOf<Name>,
  conditions?: Conditions,
): Promise<OutputOf<Name>> {
  const [route, request] = routeOf(storeId, name, input);
  return call(route, request, conditions) as Promise<OutputOf<Name>>;
}

/** What `ask` would get, if it has been asked for early and is there. It is given once. */
export function arrived<Name extends CallName>(
  storeId: string | undefined,
  name: Name,
  input: InputOf<Name>,
): OutputOf<Name> | undefined {
  const { url, body } = requestOf(...routeOf(storeId, name, input));
  return arrivedData(url, body) as OutputOf<Name> | undefined;
}

function routeOf(storeId: string | undefined, name: CallName, input: object) {
  // The name is part of the address, because an input may have an `operation` of its own.
  const route = (name.includes(' ') ? name : `POST stores/{storeId}/operations/${name}`) as RouteName;
  return [
    route,
    { ...input, ...(route.includes('{storeId}') && { storeId }) } as RouteInput<RouteName>,
  ] as const;
}
