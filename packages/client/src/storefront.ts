import type { components, operations } from './generated/storefront.js';
import { outcomeOf } from './outcome.js';
import { NoAnswer, Refusal } from './refusal.js';

export { NoAnswer, Refusal } from './refusal.js';

type Schemas = components['schemas'];
export type Shop = Schemas['Shop'];
export type Product = Schemas['CatalogProduct'];
export type ListedProduct = Schemas['ListedProduct'];
export type Order = Schemas['Order'];
export type OrderInput = Schemas['PlaceOrderInput'];
export type Quote = Schemas['Quote'];
type PageOf<Item> = { items: Item[]; nextCursor: string | null };
type Paged = { take?: number | undefined; cursor?: string | undefined };
type Given<Query> = { [Name in keyof Query]?: Query[Name] | undefined };
type ProductQuery = Given<NonNullable<operations['storefront_products']['parameters']['query']>>;

/** How a page of the Mini App calls the storefront. */
export interface StorefrontOptions {
  /** The address of the service, such as `https://shop.example`. */
  baseUrl: string;
  storeId: string;
  /** The init data that the messenger handed over, or a function that returns it. */
  initData: string | (() => string);
  /** The longest time to wait for one answer, in milliseconds. The default is 30,000. */
  timeoutMs?: number | undefined;
  /** The `fetch` to use. The default is that of the page. */
  fetch?: typeof fetch | undefined;
}

/** A refusal with a code that a page words by itself, and the values of its sentence. */
export class StorefrontRefusal extends Refusal {
  constructor(
    refusal: Refusal,
    readonly problem: string,
    readonly values: Record<string, string | number>,
  ) {
    super(
      ...([refusal.code, refusal.message, refusal.status, refusal.operation, refusal.requestId] as const),
      refusal.retryAfter,
    );
  }
}

/** The calls of a shopper. Each is made once: whether to try again is for the person to say. */
export class Storefront {
  readonly #options: StorefrontOptions;

  constructor(options: StorefrontOptions) {
    this.#options = options;
  }

  shop = () => this.#get<Shop>('shop');
  products = (query: ProductQuery = {}) => this.#get<PageOf<ListedProduct>>('products', query);
  product = (id: string) => this.#get<Product>(`products/${encodeURIComponent(id)}`);
  me = () => this.#get<Schemas['Me']>('me');
  bonus = (query: Paged = {}) => this.#get<PageOf<Schemas['BonusEntry']>>('bonus', query);
  orders = (query: Paged = {}) => this.#get<PageOf<Order>>('orders', query);
  order = (id: number) => this.#get<Schemas['ShopOrder']>(`orders/${id}`);
  /** Counts the shopper once a day. */
  visit = () => this.#post<Schemas['Visit']>('visits', {});
  /** Asks the price of the order; nothing is changed. */
  quote = (order: OrderInput) => this.#post<Quote>('orders/quote', order);
  /**
   * @param idempotencyKey the same for every attempt of one order, so that a lost answer places no second one
   */
  placeOrder = (order: OrderInput, idempotencyKey: string) =>
    this.#post<Schemas['PlacedOrder']>('orders', order, { 'Idempotency-Key': idempotencyKey });
  /** Another invoice for an order that is not paid yet. */
  invoice = (orderId: number) => this.#post<Schemas['OrderInvoice']>(`orders/${orderId}/invoice`, {});

  #get<Data>(path: string, query: object = {}): Promise<Data> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return this.#call<Data>('GET', given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path);
  }

  #post<Data>(path: string, body: object, headers: Record<string, string> = {}): Promise<Data> {
    const type = { 'Content-Type': 'application/json' };
    return this.#call<Data>('POST', path, { headers: { ...type, ...headers }, body: JSON.stringify(body) });
  }

  /** @throws StorefrontRefusal if the service refused the call, NoAnswer if it did not answer */
  async #call<Data>(method: string, path: string, request: RequestInit = {}): Promise<Data> {
    const { baseUrl, storeId, initData, timeoutMs = 30_000, fetch = globalThis.fetch } = this.#options;
    const name = `${method} ${path}`;
    const signed = typeof initData === 'string' ? initData : initData();
    const headers = { Authorization: `tma ${signed}`, ...(request.headers as Record<string, string>) };
    const signal = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      const address = `${baseUrl.replace(/\/+$/, '')}/storefront/${storeId}/${path}`;
      response = await fetch(address, { ...request, method, headers, signal, redirect: 'manual' });
      text = await response.text();
    } catch (error) {
      throw new NoAnswer(name, `${name}: the service cannot be reached`, error);
    }
    const outcome = outcomeOf(name, response, text);
    if ('data' in outcome) return outcome.data as Data;
    if (outcome.failure instanceof NoAnswer) throw outcome.failure;
    const { error } = JSON.parse(text) as { error: Pick<StorefrontRefusal, 'problem' | 'values'> };
    throw new StorefrontRefusal(outcome.failure, error.problem, error.values);
  }
}
