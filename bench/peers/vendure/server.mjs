// Vendure as its documentation sets it up, without its asset server and admin pages. It has two additional
// order states that lead to each other, because there is no way back from Vendure's own states.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vendure from '@vendure/core';
import cli from '@vendure/core/cli/index.js';

const { bootstrap, Channel, Customer, defaultOrderProcess, DefaultLogger, LogLevel, mergeConfig } = vendure;
const { Order, ProductVariant, TransactionalConnection } = vendure;

const isSeeding = process.argv[2] === 'seed';
const { DATABASE_URL, PORT = '0', TOKEN, PRODUCTS, ORDERS } = process.env;

const config = mergeConfig(vendure.defaultConfig, {
  apiOptions: {
    port: Number(PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: 'superadmin', password: TOKEN },
    cookieOptions: { secret: TOKEN },
  },
  dbConnectionOptions: { type: 'postgres', url: DATABASE_URL, synchronize: isSeeding },
  logger: new DefaultLogger({ level: LogLevel.Error }),
  orderOptions: {
    process: [
      defaultOrderProcess,
      { transitions: { Processing: { to: ['Packed'] }, Packed: { to: ['Processing'] } } },
    ],
  },
});

const INITIAL = {
  defaultLanguage: 'en',
  countries: [{ name: 'Nowhere', code: 'US', zone: 'Everywhere' }],
  defaultZone: 'Everywhere',
  taxRates: [{ name: 'No tax', percentage: 0 }],
  ...{ shippingMethods: [], paymentMethods: [], collections: [] },
};

/**
 * Creates products with Vendure's own importer from a CSV file, and orders as rows of its entities, in the
 * form that placing them would leave.
 */
async function seed() {
  const header =
    'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,' +
    'stockOnHand,trackInventory,variantAssets,variantFacets';
  const rows = Array.from(
    { length: PRODUCTS },
    (_, n) => `Product title number ${n},p-${n},Some words about it,,,,,sku-${n},5.00,No tax,100,false,,`,
  );
  const file = path.join(tmpdir(), `vendure-products-${process.pid}.csv`);
  writeFileSync(file, [header, ...rows].join('\n'));
  const app = await cli.populate(() => bootstrap(config), INITIAL, file);
  const repository = (entity) => app.get(TransactionalConnection).rawConnection.getRepository(entity);
  const [channel] = await repository(Channel).find();
  const variants = await repository(ProductVariant).find({
    relations: { taxCategory: true },
    order: { id: 'ASC' },
  });
  if (variants.length !== Number(PRODUCTS)) throw new Error(`${variants.length} products came in`);
  const customers = await repository(Customer).save(
    Array.from(
      { length: 50 },
      (_, n) =>
        new Customer({ firstName: `First ${n}`, lastName: `Last ${n}`, emailAddress: `c${n}@example.com` }),
    ),
  );
  const lineOf = (n, quantity) => {
    const productVariant = variants[n % variants.length];
    const price = {
      initialListPrice: 500,
      listPrice: 500,
      listPriceIncludesTax: false,
      adjustments: [],
      taxLines: [],
    };
    return {
      productVariant,
      taxCategory: productVariant.taxCategory,
      quantity,
      orderPlacedQuantity: quantity,
      ...price,
    };
  };
  const address = {
    fullName: 'Shopper',
    phoneNumber: '+15550100',
    streetLine1: 'Street 1',
    countryCode: 'US',
  };
  const orderOf = (n) => {
    const lines = Array.from({ length: 1 + (n % 3) }, (_, i) => lineOf(n, i + 1));
    const total = lines.reduce((sum, { quantity }) => sum + 500 * quantity, 0);
    return new Order({
      ...{
        code: `ORDER${n}`,
        state: 'Processing',
        active: false,
        orderPlacedAt: new Date(),
        type: 'Regular',
        currencyCode: 'USD',
      },
      ...{
        customer: customers[n % 50],
        channels: [channel],
        shippingAddress: address,
        billingAddress: address,
        couponCodes: [],
      },
      ...{ subTotal: total, subTotalWithTax: total, shipping: 0, shippingWithTax: 0, lines },
    });
  };
  const { OrderLine } = vendure;
  for (let n = 1; n <= ORDERS; n += 200) {
    const orders = Array.from({ length: 200 }, (_, i) => orderOf(n + i));
    const saved = await repository(Order).save(
      orders.map((order) => Object.assign(order, { made: order.lines, lines: [] })),
    );
    await repository(OrderLine).save(
      saved.flatMap((order) => order.made.map((line) => new OrderLine({ ...line, order }))),
    );
  }
  await app.close();
}

if (isSeeding) {
  await seed();
  process.exit(0);
}
await bootstrap(config);
process.stdout.write('ready\n');
