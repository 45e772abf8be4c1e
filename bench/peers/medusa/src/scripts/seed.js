/* eslint-disable @typescript-eslint/no-require-imports -- Medusa reads CommonJS. */
// For `medusa exec`: creates products and orders through the modules that own them, one batch at a time.
const { Modules } = require('@medusajs/framework/utils');

const BATCH = 100;

exports.default = async function seed({ container }) {
  const { PRODUCTS, ORDERS } = process.env;
  const products = container.resolve(Modules.PRODUCT);
  const made = [];
  for (let n = 0; n < PRODUCTS; n += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => ({
      title: `Product title number ${n + i}`,
      handle: `p-${n + i}`,
      description: 'Some words about it',
      status: 'published',
      options: [{ title: 'Color', values: ['Black'] }],
      variants: [{ title: 'Black', sku: `sku-${n + i}`, options: { Color: 'Black' } }],
    }));
    made.push(...(await products.createProducts(batch)));
  }
  const orders = container.resolve(Modules.ORDER);
  for (let n = 0; n < ORDERS; n += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => {
      const product = made[(n + i) % made.length];
      const variant = product.variants[0];
      return {
        currency_code: 'usd',
        email: 'shopper@example.com',
        shipping_address: {
          first_name: 'Shopper',
          phone: '+15550100',
          address_1: 'Street 1',
          country_code: 'us',
        },
        items: Array.from({ length: 1 + ((n + i) % 3) }, (_, line) => ({
          ...{ title: product.title, product_id: product.id, variant_id: variant.id, variant_title: 'Black' },
          ...{ quantity: line + 1, unit_price: 5 },
        })),
      };
    });
    await orders.createOrders(batch);
  }
};
