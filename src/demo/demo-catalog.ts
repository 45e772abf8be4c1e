import { v7 as uuidv7 } from 'uuid';
import { statement } from '../platform/database/statement.js';
import type { StoreContext } from '../platform/operation/store-context.js';

const PRODUCTS = [
  {
    productId: 'mug-classic',
    title: 'Classic mug',
    description: 'Stoneware, 330 ml.',
    price: '12.50',
    salePrice: null,
    stock: 40,
  },
  {
    productId: 'tee-logo',
    title: 'Logo T-shirt',
    description: 'Heavy organic cotton.',
    price: '24.00',
    salePrice: '19.90',
    stock: null,
  },
  {
    productId: 'sticker-pack',
    title: 'Sticker pack',
    description: 'Ten weatherproof stickers.',
    price: '4.99',
    salePrice: null,
    stock: 200,
  },
  { productId: 'notebook-a5', title: 'Notebook A5', description: '160 dotted pages.', price: '9.00', salePrice: null, stock: 25 },
];

const SIZES = ['S', 'M', 'L'];

const INSERT_PRODUCT = statement(
  'demo_product',
  `insert into products (store_id, id, product_id, title, description, images, price, sale_price, item_amount, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
);

const INSERT_VARIANT = statement(
  'demo_variant',
  `insert into variants (store_id, id, product_id, option_title, variant_value, price, sale_price, item_amount, sort_order, created_at, updated_at)
   values ($1, $2, $3, 'Size', $4, $5, $6, 15, $7, $8, $8)`,
);

/** The demo store's products; the T-shirt comes in sizes. */
export async function seedCatalog(ctx: StoreContext): Promise<void> {
  for (const product of PRODUCTS) {
    const id = uuidv7();
    const { productId, title, description, price, salePrice, stock } = product;
    const images = [`https://images.example/${productId}.jpg`];
    await ctx.session.run(INSERT_PRODUCT, id, productId, title, description, images, price, salePrice, stock, ctx.now());
    if (stock !== null) continue;
    for (const [i, size] of SIZES.entries()) {
      await ctx.session.run(INSERT_VARIANT, uuidv7(), id, size, price, salePrice, i, ctx.now());
    }
  }
}
