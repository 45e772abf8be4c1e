import type { INestApplicationContext } from '@nestjs/common';
import { InvoiceFields } from '../groups/invoice-fields/invoice-fields.service.js';
import { type CartItem, type PlaceOrderInput } from '../groups/orders/place-order.dto.js';
import { OrderPlacing } from '../groups/orders/order-placing.service.js';
import { ProductsService } from '../groups/products/products.service.js';
import { TokenRegistry } from '../platform/auth/token-registry.js';
import { SCOPES, type Scope } from '../platform/auth/principal.js';
import { StoreDatabase } from '../platform/database/store-database.js';
import type { StoreContext } from '../platform/operation/store-context.js';
import { Stores } from '../stores/stores.service.js';
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
  const { ownerEmail, ownerPassword, invitation, id, name, currency, plan } = await app
    .get(Stores)
    .create({ name: 'Demo store', currency: 'USD', ownerEmail: 'owner@demo.example' });
  const principal = await app.get(Stores).operator(id);
  const database = app.get(StoreDatabase);
  await database.inStore(principal, async (ctx) => {
    await seedCatalog(ctx, app.get(ProductsService));
    await app.get(InvoiceFields).update(ctx, { maxTipAmount: 2_000, suggestedTipAmounts: [100, 200, 500] });
  });
  const placing = app.get(OrderPlacing);
  for (const [i, items] of CARTS.entries()) {
    await database.inStore(principal, (ctx: StoreContext) =>
      placing.place(ctx, SHOPPERS[i % SHOPPERS.length], demoOrder(items), i % 2 === 1),
    );
  }
  const tokens = {} as Record<Scope, string>;
  for (const scope of SCOPES) {
    const { token } = await database.inStore(principal, (ctx) =>
      app.get(TokenRegistry).create(ctx, { name: `demo ${scope}`, scope, expiresAt: null }),
    );
    tokens[scope] = token;
  }
  return { store: { id, name, currency, plan }, ownerEmail, ownerPassword, invitation, tokens, orders: CARTS.length };
}

function demoOrder(items: CartItem[]): PlaceOrderInput {
  return {
    items,
    paymentMethod: 'cash on delivery',
    shippingAddress: { name: 'Demo Shopper', phone_number: '+15550100' },
    checkoutData: [{ id: 'comment', label: 'Comment', type: 'text', value: 'Please ring twice' }],
  };
}
