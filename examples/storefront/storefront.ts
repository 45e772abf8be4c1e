/**
 * A Mini App of one's own in a hundred lines: products, a cart, the checkout form as far as it is text, and
 * an order that is placed once. Serve the folder by https, put the service's address and the store's id into
 * index.html, and name the page's address in the dashboard at Bot, What the buttons open.
 */
import { type OrderInput, type Product, Storefront, StorefrontRefusal } from 'chat-shop-client/storefront';

const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!.content;
const launch = new URLSearchParams(location.hash.slice(1));
const storefront = new Storefront({
  baseUrl: meta('service'),
  storeId: meta('store'),
  initData: launch.get('tgWebAppData') ?? '',
});
const main = document.querySelector('main')!;
const shop = await storefront.shop();
const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: shop.currency });
/** Quotes and orders are in minor units, products in major ones. */
const minor = (amount: number) => format.format(amount / 10 ** shop.digits);

interface Line {
  product: Product;
  variantId: string | undefined;
}
const cart: Line[] = [];
/** One key for every attempt of an order: a lost answer places no second one. */
let key = crypto.randomUUID();

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, text = '', parent: Element = main) {
  const made = document.createElement(tag);
  made.textContent = text;
  parent.append(made);
  return made;
}

function button(text: string, press: () => Promise<void>, parent: Element = main): void {
  element('button', text, parent).onclick = () => void press().catch(say);
}

/** A refusal has a code, from which an app makes its own sentence; others are told as they are. */
function say(error: unknown): void {
  const isSoldOut = error instanceof StorefrontRefusal && error.problem === 'out_of_stock';
  element('p', isSoldOut ? `Only ${error.values.left} left` : String(error)).role = 'alert';
}

async function catalog(cursor?: string): Promise<void> {
  if (cursor === undefined) main.replaceChildren();
  const { items, nextCursor } = await storefront.products({ take: 20, cursor });
  if (cursor === undefined) element('h1', shop.settings.title || shop.settings.name);
  else main.querySelector('button:last-of-type')?.remove();
  for (const { id, title, price, salePrice } of items)
    button(`${title} · ${format.format(salePrice ?? price)}`, () => product(id));
  if (nextCursor !== null) button('More', () => catalog(nextCursor));
}

async function product(id: string): Promise<void> {
  const found = await storefront.product(id);
  main.replaceChildren();
  element('h1', found.title);
  element('p', found.description);
  const add = (variantId?: string) => async () => {
    cart.push({ product: found, variantId });
    await checkout();
  };
  const variants = found.variants.flatMap(({ values }) => values);
  for (const { id: variant, variantValue } of variants) button(`Add: ${variantValue}`, add(variant));
  if (variants.length === 0) button('Add', add());
  button('Back', () => catalog());
}

async function checkout(): Promise<void> {
  main.replaceChildren();
  element('h1', 'Checkout');
  const form = element('form');
  const asked = shop.checkout.fields.filter(({ type, defaultVisible }) => type === 'text' && defaultVisible);
  for (const { id, label, required } of asked) {
    const input = element('input', '', element('label', label, form));
    Object.assign(input, { name: id, required });
  }
  const order = (): OrderInput => ({
    items: cart.map(({ product: { productId }, variantId }) => ({
      ...{ productId, quantity: 1 },
      ...(variantId !== undefined && { variantId }),
    })),
    paymentMethod: shop.paymentMethods[0]?.name ?? 'manual',
    checkoutData: asked.flatMap(({ id, label, type }) => {
      const value = String(new FormData(form).get(id) ?? '');
      return value === '' ? [] : [{ id, label, type, value }];
    }),
  });
  const { total } = await storefront.quote(order());
  button(`Place order · ${minor(total)}`, async () => {
    if (!form.reportValidity()) return;
    // If the price has changed meanwhile, nothing is ordered, and the refusal says the new one.
    const placed = await storefront.placeOrder({ ...order(), expectedTotal: total }, key);
    key = crypto.randomUUID();
    cart.length = 0;
    main.replaceChildren();
    element('h1', `Order ${placed.id}: ${minor(placed.totalPrice)}`);
    if (placed.invoiceUrl) location.href = placed.invoiceUrl;
  });
  button('Back', () => catalog());
}

await catalog().catch(say);
