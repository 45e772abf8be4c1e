import type { INestApplicationContext } from '@nestjs/common';
import { InvoiceFields } from '../../groups/invoice-fields/invoice-fields.service.js';
import { type CartItem, type PlaceOrderInput } from '../../groups/orders/place-order.dto.js';
import { OrderPlacing } from '../../groups/orders/order-placing.service.js';
import { ProductsService } from '../../groups/products/products.service.js';
import { Accounts } from '../../people/accounts.service.js';
import { TokenRegistry } from '../../platform/auth/token-registry.js';
import { SCOPES, type Scope } from '../../platform/store/principal.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { type Store, Stores } from '../../stores/stores.service.js';
import { seedCatalog } from './demo-catalog.js';

export interface DemoStore {
  store: { id: string; name: string; currency: string; plan: string };
  ownerEmail: string;
  /** Null when the owner's account exists already; then there is an invitation for it. */
  ownerPassword: string | null;
  invitation?: string;
  tokens: Record<Scope, string>;
  orders: number;
}

const DEMO_NAME = 'Demo store';
const OWNER_EMAIL = 'owner@demo.example';

const SHOPPERS = [
  { id: '9007199254740993', firstName: 'Olena', lastName: 'Kovalenko', username: 'olena_k' },
  { id: '412345678', firstName: 'Marco', lastName: 'Rossi', username: 'marco' },
  { id: '512345679', firstName: 'Aisha', username: 'aisha.designs' },
];

const CARTS: CartItem[][] = [
  [{ productId: 'mug-classic', quantity: 2 }],
  [
    { productId: 'tee-logo', quantity: 1, optionTitle: 'Size', variantValue: 'M' },
    { productId: 'sticker-pack', quantity: 3 },
  ],
  [{ productId: 'notebook-a5', quantity: 1 }],
  [{ productId: 'tee-logo', quantity: 2, optionTitle: 'Size', variantValue: 'L' }],
];

/** A store to try everything on: products, customers, orders, a token of each scope. */
export async function seedDemo(app: INestApplicationContext): Promise<DemoStore> {
  const made = await app.get(Stores).create({ name: DEMO_NAME, currency: 'USD', ownerEmail: OWNER_EMAIL });
  const { ownerEmail, ownerPassword, invitation } = made;
  return { store: storeOf(made), ownerEmail, ownerPassword, invitation, ...(await fill(app, made.id)) };
}

/**
 * What a start that was killed had left of its demo store, completed; a whole one when it had made none. Nobody has seen that
 * start's password and tokens, so they are made anew.
 */
export async function completeDemo(app: INestApplicationContext): Promise<DemoStore> {
  const begun = (await app.get(Stores).list()).find(({ name }) => name === DEMO_NAME);
  if (!begun) return seedDemo(app);
  const { password } = await app.get(Accounts).resetByOperator(OWNER_EMAIL);
  return { store: storeOf(begun), ownerEmail: OWNER_EMAIL, ownerPassword: password, ...(await fill(app, begun.id)) };
}

/** Products, orders and tokens in one transaction, so that a start which is killed leaves all of them or none. */
async function fill(app: INestApplicationContext, storeId: string): Promise<Pick<DemoStore, 'tokens' | 'orders'>> {
  const principal = await app.get(Stores).operator(storeId);
  return app.get(StoreDatabase).inStore(principal, async (ctx) => {
    const unseen = await app.get(TokenRegistry).list(ctx);
    if (unseen.length === 0) await sell(app, ctx);
    for (const { id } of unseen) await app.get(TokenRegistry).revoke(ctx, id);
    const tokens = {} as Record<Scope, string>;
    for (const scope of SCOPES) {
      tokens[scope] = (await app.get(TokenRegistry).create(ctx, { name: `demo ${scope}`, scope, expiresAt: null })).token;
    }
    return { tokens, orders: CARTS.length };
  });
}

async function sell(app: INestApplicationContext, ctx: StoreContext): Promise<void> {
  await seedCatalog(ctx, app.get(ProductsService));
  await app.get(InvoiceFields).update(ctx, { maxTipAmount: 2_000, suggestedTipAmounts: [100, 200, 500] });
  for (const [i, items] of CARTS.entries()) {
    await app.get(OrderPlacing).place(ctx, SHOPPERS[i % SHOPPERS.length], demoOrder(items), i % 2 === 1);
  }
}

const storeOf = ({ id, name, currency, plan }: Store): DemoStore['store'] => ({ id, name, currency, plan });

function demoOrder(items: CartItem[]): PlaceOrderInput {
  return {
    items,
    paymentMethod: 'cash on delivery',
    shippingAddress: { name: 'Demo Shopper', phone_number: '+15550100' },
    checkoutData: [{ id: 'comment', label: 'Comment', type: 'text', value: 'Please ring twice' }],
  };
}
