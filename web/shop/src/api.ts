import { launch } from './client';
import type { components } from './generated/routes';

type Schemas = components['schemas'];
export type Shop = Schemas['Shop'];
export type Listed = Schemas['ListedProduct'];
export type Product = Schemas['CatalogProduct'];
export type Field = Shop['checkout']['fields'][number];
export type Quote = Schemas['Quote'];
export type Order = Schemas['ShopOrder'];
export type PlacedOrder = Schemas['PlacedOrder'];
export type Me = Schemas['Me'];
export type BonusEntry = Schemas['BonusEntry'];
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** A refusal of the service, or `unreachable` without an answer. */
export class Refusal extends Error {
  constructor(
    readonly problem: string,
    readonly values: Record<string, string | number>,
    message: string,
  ) {
    super(message);
  }
}

const [, root = '', storeId = ''] = /^(.*)\/shop\/([^/]+)/.exec(location.pathname) ?? [];
/** The address of the shop's first page, without a slash at its end. */
export const home = `${root}/shop/${storeId}`;
export const store = storeId;

const early = (window as { early?: Record<string, Promise<Response>> }).early ?? {};

async function call<Data>(path: string, request: RequestInit): Promise<Data> {
  const started = early[path] as Promise<Response> | undefined;
  delete early[path];
  const headers = { Authorization: `tma ${launch.initData}`, ...(request.headers as object) };
  const unreachable = () => new Refusal('unreachable', {}, 'no answer');
  const response = await (
    started ?? fetch(`${root}/storefront/${storeId}/${path}`, { ...request, headers })
  ).catch(() => {
    throw unreachable();
  });
  const answer = (await response.json().catch(() => null)) as {
    ok: boolean;
    data: Data;
    error: { problem: string; values: Record<string, string | number>; message: string };
  } | null;
  if (answer === null) throw unreachable();
  if (answer.ok) return answer.data;
  throw new Refusal(answer.error.problem, answer.error.values, answer.error.message);
}

/** @param query what is undefined is left out */
export function get<Data>(
  path: string,
  query: Record<string, string | number | undefined> = {},
): Promise<Data> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return call<Data>(given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path, {});
}

export function send<Data>(path: string, body: object = {}, key?: string): Promise<Data> {
  const headers = {
    'Content-Type': 'application/json',
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
  return call<Data>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}
