import type { Operations } from './generated/operations';
import type { Routes } from './generated/routes';
import { Refusal } from './refusal';

export type OperationName = keyof Operations;
export type Input<Name extends OperationName> = Operations[Name]['input'];
export type Output<Name extends OperationName> = Operations[Name]['output'];
export type RouteName = keyof Routes;
/** Whatever a page can ask of the open store. */
export type CallName = OperationName | RouteName;
export type RouteInput<Name extends RouteName> = Routes[Name]['input'];
export type RouteOutput<Name extends RouteName> = Routes[Name]['output'];

/** The input of either kind; the store is the one that is open. */
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

/** What goes beside the input of a call. */
export interface Conditions {
  /** The body, where a route takes a file. */
  file?: Blob;
  /** The `updatedAt` of the record that the person was looking at. */
  ifMatch?: string;
  /** Made when the dialog opens, so that a double click or a lost connection does a thing once. */
  idempotencyKey?: string;
}

type Envelope = { ok: true; data: unknown } | { ok: false; error: { code: string; message: string } };

/** Asks the person to sign in again, over the page, and resolves when they have. The frame sets it. */
let signInAgain: (() => Promise<void>) | null = null;
export const onSignedOut = (ask: (() => Promise<void>) | null) => void (signInAgain = ask);

/** The address of a route with its input: path parameters in the path, the rest in the query of a GET. Relative to <base>. */
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
  return { method, url, body: method === 'GET' || left.size === 0 ? undefined : JSON.stringify(Object.fromEntries(left)) };
}

declare global {
  interface Window {
    /** What boot.js has asked for while the application was still being loaded, by address. */
    early?: Record<string, Promise<Response>>;
  }
}

/** An answer is read once: whoever asks again asks the service. */
function takeEarly(method: string, url: URL): Promise<Response> | undefined {
  const answer = method === 'GET' ? window.early?.[url.href] : undefined;
  if (answer) delete window.early![url.href];
  return answer;
}

/** Calls a route of the dashboard. @throws Refusal */
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
    ...(conditions.ifMatch ? { 'If-Match': `"${conditions.ifMatch}"` } : {}),
    ...(conditions.idempotencyKey ? { 'Idempotency-Key': conditions.idempotencyKey } : {}),
  };
  const response = await (takeEarly(method, url) ?? fetch(url, { method, headers, body: file ?? body })).catch(() => {
    throw new Refusal('unreachable', '');
  });
  const answer = (await response.json().catch(() => null)) as Envelope | null;
  if (answer?.ok) return answer.data as RouteOutput<Name>;
  const retryAfter = response.headers.get('Retry-After');
  const refusal = new Refusal(
    answer?.error.code ?? 'unreachable',
    answer?.error.message ?? '',
    response.headers.get('X-Request-Id'),
    retryAfter === null ? null : Number(retryAfter),
  );
  // The session ended in the middle: nothing that was typed is lost, and the call is made again.
  if (refusal.code === 'invalid_token' && signInAgain && !route.includes(' auth/')) {
    await signInAgain();
    return call(route, input, conditions);
  }
  throw refusal;
}

/** Runs an operation as the signed-in person. @throws Refusal */
export function run<Name extends OperationName>(
  storeId: string,
  operation: Name,
  input: Input<Name>,
  conditions?: Conditions,
): Promise<Output<Name>> {
  const request = { ...input, storeId, operation } as RouteInput<'POST stores/{storeId}/operations/{operation}'>;
  return call('POST stores/{storeId}/operations/{operation}', request, conditions) as Promise<Output<Name>>;
}

/** Runs an operation, or calls a route below the store: `get_order`, `GET stores/{storeId}/members`. @throws Refusal */
export function ask<Name extends CallName>(
  storeId: string,
  name: Name,
  input: InputOf<Name>,
  conditions?: Conditions,
): Promise<OutputOf<Name>> {
  const answer = name.includes(' ')
    ? call(name as RouteName, { ...input, storeId } as RouteInput<RouteName>, conditions)
    : run(storeId, name as OperationName, input as Input<OperationName>, conditions);
  return answer as Promise<OutputOf<Name>>;
}
