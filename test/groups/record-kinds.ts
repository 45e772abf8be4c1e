import type { TestStore } from '../support/test-app.js';
import {
  type Bounds,
  type FieldCase,
  FLAG,
  freshSlug,
  integer,
  SLUG,
  text,
  WEB_URL,
} from './catalog/catalog-fields.js';
import { FULL as FULL_PRODUCT, IMAGE, leastProduct } from './catalog/product-inputs.js';

/**
 * A kind of record that a store has many of, and what is its own about it. records.spec.ts proves the rest of
 * every kind alike.
 */
export interface RecordKind {
  /** As operations and audit targets call it: create_brand, `brand:<id>`. */
  name: string;
  plural: string;
  table: string;
  /** Operations it has not, or has in another shape. */
  lacks?: ('create' | 'get')[];
  /** What it cannot be made without; its key is another each time. */
  least: () => Record<string, unknown>;
  /** What it holds besides when nothing else is given. */
  defaults: Record<string, unknown>;
  /** Every field that needs no other record. */
  full: Record<string, unknown>;
  /** The same values as `full`, as somebody else may write them. */
  fullAgain?: Record<string, unknown>;
  /** Fields that name other records, which are made for it. */
  links?: (store: TestStore) => Promise<Record<string, unknown>>;
  creating: FieldCase[];
  updating: FieldCase[];
  required: string[];
  /** Refused by name, though the record may have such a field. */
  notCreated: [field: string, value: unknown][];
  notUpdated: [field: string, value: unknown][];
  /** An update of several fields: one is emptied where that is allowed, one stays as `full` has it. */
  change: Record<string, unknown>;
  /** What no two of a store may have the same, and values that count as the same. */
  unique?: { field: string; pairs: [string, string][]; updatable?: false };
  /** Fields that are kept sealed: of them the record shows something else, and the audit row nothing. */
  sealed?: string[];
  /** What a record shows of such fields. */
  shown?: (input: Record<string, unknown>) => Record<string, unknown>;
  /** Whether an update must change something; then one of nothing is refused. */
  needsChange?: true;
  /** Whether it may be deleted without `confirm`. */
  confirmOptional?: true;
  /** Whether lists come in pages. */
  isPaged: boolean;
  /** How a list shows it. */
  listed?: (record: any) => unknown;
  /** Where creating and reading are not `create_` and `get_` of its name. */
  make?: (store: TestStore, input: Record<string, unknown>) => Promise<any>;
  read?: (store: TestStore, record: any) => Promise<any>;
  /** What a list needs to be asked with. */
  listInput?: (record: any) => Record<string, unknown>;
  /** Other fields of the record that follow from the given values. */
  follows?: (given: Record<string, any>) => object;
}

/** Accepted values that name other records are given by `links`. */
const linked = (refused: unknown[]): Bounds => ({ accepted: [], refused });
const NOT_TEXT = [5, true, ['x'], {}, 'nul \u0000'];
const nullable = (cases: FieldCase[]) =>
  cases.map(([field, bounds]): FieldCase => [field, bounds, 'nullable']);

const brand: RecordKind = {
  name: 'brand',
  plural: 'brands',
  table: 'brands',
  least: () => ({ name: 'Acme', slug: freshSlug() }),
  defaults: { description: null, logoUrl: null, websiteUrl: null, isActive: true },
  full: {
    name: 'Acme',
    description: 'Tools & traps',
    logoUrl: 'https://acme.example/logo.svg',
    websiteUrl: 'https://acme.example',
    isActive: false,
  },
  creating: [
    ['name', text(1, 200)],
    ['slug', SLUG],
    ['description', text(0, 2000)],
    ['logoUrl', WEB_URL],
    ['websiteUrl', WEB_URL],
    ['isActive', FLAG],
  ],
  updating: [
    ['name', text(1, 200)],
    ['slug', SLUG],
    ...nullable([
      ['description', text(0, 2000)],
      ['logoUrl', WEB_URL],
      ['websiteUrl', WEB_URL],
    ]),
    ['isActive', FLAG],
  ],
  required: ['name', 'slug'],
  notCreated: ['storeId', 'createdAt', 'id', 'Name', '__proto__'].map((field) => [field, 'x']),
  notUpdated: ['storeId', 'createdAt'].map((field) => [field, 'x']),
  change: { name: 'Acme & Co', description: null, isActive: false },
  unique: { field: 'slug', pairs: [['acme', 'acme']] },
  isPaged: true,
};

const SORT_ORDER = integer({
  accepted: [0, -1, 7, -Number.MAX_SAFE_INTEGER],
  refused: [-Number.MAX_SAFE_INTEGER - 1],
});
const PARENT = linked(['', 5, {}, ['a'], 'nonsense', '0198c5a4-0000-7000-8000-000000000000']);
const category: RecordKind = {
  name: 'category',
  plural: 'categories',
  table: 'categories',
  least: () => ({ name: 'Shoes', slug: freshSlug() }),
  defaults: { description: null, imageUrl: null, parentId: null, sortOrder: 0, isActive: true },
  full: {
    name: 'Shoes',
    description: 'For feet',
    imageUrl: 'https://images.example/shoes.jpg',
    sortOrder: 3,
    isActive: false,
  },
  links: async (store) => ({
    parentId: (await store.data('create_category', { name: 'Above', slug: freshSlug() })).id,
  }),
  creating: [
    ['name', text(1, 200)],
    ['slug', SLUG],
    ['description', text(0, 2000)],
    ['imageUrl', WEB_URL],
    ['parentId', PARENT],
    ['sortOrder', SORT_ORDER],
    ['isActive', FLAG],
  ],
  updating: [
    ['name', text(1, 200)],
    ['slug', SLUG],
    ...nullable([
      ['description', text(0, 2000)],
      ['imageUrl', WEB_URL],
      ['parentId', PARENT],
    ]),
    ['sortOrder', SORT_ORDER],
    ['isActive', FLAG],
  ],
  required: ['name', 'slug'],
  notCreated: ['storeId', 'createdAt', 'id', 'children'].map((field) => [field, 'x']),
  notUpdated: ['storeId', 'children'].map((field) => [field, 'x']),
  change: { name: 'Shoes', sortOrder: 2, description: null },
  unique: { field: 'slug', pairs: [['shoes', 'shoes']] },
  isPaged: true,
};

const DATE = linked([
  ...['', '2026-04-10', '2026-04-10T12:00:00', '2026-02-30T12:00:00Z', '2026-04-10 12:00:00Z', 'soon'],
  ...[1775822400000, {}],
]);
const CONTEST_STATUS: Bounds = {
  accepted: ['DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED'],
  refused: ['', 'draft', 'PENDING', 1, ['DRAFT']],
};
const CONTEST_FIELDS: FieldCase[] = [
  ['title', text(1, 300)],
  ['slug', SLUG],
  ['startDate', DATE],
  ['endDate', DATE],
  ['status', CONTEST_STATUS],
];
const CONTEST_MAY_BE_EMPTY: FieldCase[] = [
  ['description', text(0, 5000)],
  ['buttonText', text(0, 100)],
  ['maxParticipants', integer({ accepted: [1], refused: [0, -1] })],
  ['prizeDescription', text(0, 2000)],
  ['promoCode', text(0, 100)],
  ['rules', text(0, 5000)],
  ['bonusReward', integer({ accepted: [0, 1], refused: [-1] })],
];
const CONTEST = {
  title: 'Spring draw',
  startDate: '2026-04-01T00:00:00.000Z',
  endDate: '2026-04-10T00:00:00.000Z',
};
const FULL_CONTEST = {
  ...CONTEST,
  description: 'Win boots',
  buttonText: 'Join',
  maxParticipants: 500,
  prizeDescription: 'Boots',
  promoCode: 'SPRING',
  rules: 'One entry each',
  bonusReward: 25,
  status: 'ACTIVE',
};
const contest: RecordKind = {
  name: 'contest',
  plural: 'contests',
  table: 'contests',
  least: () => ({ ...CONTEST, slug: freshSlug() }),
  defaults: {
    description: null,
    buttonText: null,
    maxParticipants: null,
    prizeDescription: null,
    promoCode: null,
    rules: null,
    bonusReward: null,
    status: 'DRAFT',
  },
  full: FULL_CONTEST,
  fullAgain: { ...FULL_CONTEST, startDate: '2026-04-01T03:00:00+03:00' },
  creating: [...CONTEST_FIELDS, ...CONTEST_MAY_BE_EMPTY],
  updating: [...CONTEST_FIELDS, ...nullable(CONTEST_MAY_BE_EMPTY)],
  required: ['title', 'slug', 'startDate', 'endDate'],
  notCreated: ['storeId', 'createdAt', 'id', 'winners', 'participants'].map((field) => [field, 'x']),
  notUpdated: ['storeId', 'participants'].map((field) => [field, 'x']),
  change: {
    title: CONTEST.title,
    status: 'ENDED',
    bonusReward: null,
    maxParticipants: 9,
    endDate: '2026-04-11T00:00:00.000Z',
  },
  unique: { field: 'slug', pairs: [['spring', 'spring']] },
  isPaged: true,
};

const INSTANT: Bounds = {
  accepted: ['2026-12-31T23:59:59.000Z'],
  refused: ['2026-12-31', '2026-12-31T23:59:59', '2026-02-30T00:00:00Z', 'tomorrow', '', 1767225600],
};
const PROMOCODE_FIELDS: FieldCase[] = [
  ['code', { ...text(1, 64), accepted: ['x', '漢'.repeat(64), 'a b'] }],
  ['discountType', { accepted: ['PERCENTAGE', 'FIXED_AMOUNT'], refused: ['percentage', 'FREE', '', 1] }],
  ['discountValue', { accepted: [1, 100, 0.5, 33.333333, 100.01, 101], refused: [0, -1, '10', true] }],
  ['expiresAt', INSTANT, 'nullable'],
  ['maxUses', integer({ accepted: [1], refused: [0, -1, '1'] }), 'nullable'],
  ['isActive', FLAG],
];
let lastCode = 0;
const promocode: RecordKind = {
  name: 'promocode',
  plural: 'promocodes',
  table: 'promocodes',
  lacks: ['get'],
  least: () => ({ code: `SAVE${++lastCode}`, discountType: 'PERCENTAGE', discountValue: 10 }),
  defaults: { expiresAt: null, maxUses: null, usedCount: 0, isActive: true },
  full: {
    discountType: 'PERCENTAGE',
    discountValue: 5.25,
    expiresAt: '2026-06-01T00:00:00.000Z',
    maxUses: 5,
    isActive: false,
  },
  fullAgain: { discountValue: 5.25, expiresAt: '2026-06-01T02:00:00+02:00', maxUses: 5, isActive: false },
  creating: PROMOCODE_FIELDS,
  updating: PROMOCODE_FIELDS,
  required: ['code', 'discountType', 'discountValue'],
  notCreated: [
    ['usedCount', 0],
    ['id', 'x'],
  ],
  notUpdated: [['usedCount', 0]],
  change: {
    discountType: 'PERCENTAGE',
    discountValue: 15,
    expiresAt: '2026-06-01T00:00:00.000Z',
    maxUses: null,
  },
  unique: {
    field: 'code',
    pairs: [
      ['Summer', 'sUMMER'],
      ['ÄPFEL', 'äpfel'],
      ['ΚΩΔΙΚΟΣ', 'κωδικος'],
      ['Скидка', 'СКИДКА'],
    ],
  },
  needsChange: true,
  isPaged: true,
  read: async (store, { id }) =>
    (await store.data('list_promocodes', { take: 100 })).items.find((code: any) => code.id === id),
};

const upTo = (max: number): Bounds => ({
  accepted: ['', 'x', ' ä 漢 😀 ', 'x'.repeat(max), '😀'.repeat(max)],
  refused: ['x'.repeat(max + 1), '😀'.repeat(max + 1), ...NOT_TEXT],
});
const ANY_TEXT = upTo(500);
const SOME_TEXT: Bounds = {
  accepted: ['x', ' ä 漢 😀 ', '😀'.repeat(500)],
  refused: ['', 'x'.repeat(501), ...NOT_TEXT],
};
const PRICE: Bounds = {
  accepted: [0.01, 1, 10.5, 90071992547409.91],
  refused: [0, -1, 0.001, 90071992547409.92, 1e300, '1', true],
};
const VARIANT_PRICE: Bounds = {
  accepted: [0, 0.01, 10.5, 90071992547409.91],
  refused: [-0.01, 0.001, 90071992547409.92, '1', true],
};
export const AMOUNT: Bounds = {
  accepted: [0, 1, 2_147_483_648, Number.MAX_SAFE_INTEGER],
  refused: [-1, 1.5, Number.MAX_SAFE_INTEGER + 1, '1', true],
};
const IMAGES: Bounds = {
  accepted: [
    [IMAGE],
    ['http://images.example'],
    [`${IMAGE}?w=1`],
    Array(100).fill(IMAGE),
    [`${IMAGE}?`.padEnd(2048, 'x')],
  ],
  refused: [
    ...[
      Array(101).fill(IMAGE),
      [`${IMAGE}?`.padEnd(2049, 'x')],
      [],
      IMAGE,
      [''],
      ['a.png'],
      ['ftp://images.example/a'],
    ],
    ...[['javascript:alert(1)'], [5], [IMAGE, null]],
  ],
};
const groupsOf = (groups: number, values: number) =>
  Array.from({ length: groups }, (_, i) => ({
    optionTitle: `Option ${i}`,
    values: Array.from({ length: values }, (_, j) => ({ variantValue: `${j}`, price: 1 })),
  }));
const PRODUCT_FIELDS: FieldCase[] = [
  ['title', SOME_TEXT],
  ['description', upTo(20_000)],
  ['images', IMAGES],
  ['price', PRICE],
];
const PRODUCT_MAY_BE_EMPTY: FieldCase[] = [
  ['salePrice', PRICE],
  ['itemAmount', AMOUNT],
  ['brand', ANY_TEXT],
  ['category', ANY_TEXT],
  ['subCategory', ANY_TEXT],
  ['tags', upTo(2_000)],
  ['shippingTime', ANY_TEXT],
  ['season', ANY_TEXT],
];
const product: RecordKind = {
  name: 'product',
  plural: 'products',
  table: 'products',
  least: () => leastProduct(),
  defaults: {
    salePrice: null,
    saleUntil: null,
    itemAmount: null,
    isHidden: false,
    onSale: true,
    brand: null,
    category: null,
    subCategory: null,
    tags: null,
    shippingTime: null,
    season: null,
    brandId: null,
    categoryId: null,
    variants: [],
  },
  full: FULL_PRODUCT,
  links: async (store) => ({
    brandId: (await store.data('create_brand', { name: 'Acme', slug: freshSlug() })).id,
    categoryId: (await store.data('create_category', { name: 'Mugs', slug: freshSlug() })).id,
  }),
  creating: [
    ...PRODUCT_FIELDS,
    ...PRODUCT_MAY_BE_EMPTY,
    [
      'variants',
      {
        accepted: [[], groupsOf(20, 1), groupsOf(1, 200)],
        refused: [{}, 'Size', [5], groupsOf(21, 1), groupsOf(1, 201)],
      },
    ],
  ],
  updating: [
    ...PRODUCT_FIELDS,
    ...nullable(PRODUCT_MAY_BE_EMPTY),
    ['isHidden', FLAG],
    ['brandId', linked([5, true, {}]), 'nullable'],
    ['categoryId', linked([5, true, {}]), 'nullable'],
  ],
  required: ['productId', 'title', 'description', 'images', 'price'],
  notCreated: [
    ...[null, '', 5, 'x'.repeat(501)].map((value): [string, unknown] => ['productId', value]),
    ['brandId', 5],
    ['categoryId', 5],
    ['isHidden', true],
    ['id', 'x'],
  ],
  notUpdated: [
    ['productId', 'other'],
    ['variants', []],
    ['createdAt', '2026-01-01T00:00:00Z'],
  ],
  change: { price: FULL_PRODUCT.price, salePrice: null, title: 'Cup', images: [IMAGE] },
  follows: ({ isHidden }) => (isHidden ? { onSale: false, notOnSaleBecause: 'hidden' } : {}),
  unique: { field: 'productId', pairs: [['sku', 'sku']], updatable: false },
  isPaged: true,
  listed: ({ variants, ...record }) => ({
    ...record,
    variantCount: variants.reduce((sum: number, { values }: { values: unknown[] }) => sum + values.length, 0),
  }),
};

const variant: RecordKind = {
  // Options and values are keys: blanks around them are taken off.
  shown: (input) =>
    Object.fromEntries(
      Object.entries(input).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
    ),
  name: 'variant',
  plural: 'variants',
  table: 'variants',
  lacks: ['create', 'get'],
  least: () => ({ optionTitle: 'Size', variantValue: 'M', price: 9.5 }),
  defaults: { salePrice: null, saleUntil: null, itemAmount: null, sortOrder: 0 },
  full: { optionTitle: 'Size', variantValue: 'M', price: 9.5, salePrice: 8.25, itemAmount: 3, sortOrder: 2 },
  creating: [],
  updating: [
    ['optionTitle', SOME_TEXT],
    ['variantValue', SOME_TEXT],
    ['price', VARIANT_PRICE],
    ['salePrice', VARIANT_PRICE, 'nullable'],
    ['itemAmount', AMOUNT, 'nullable'],
    ['sortOrder', AMOUNT],
  ],
  required: [],
  notCreated: [],
  notUpdated: [
    ['productId', 'other'],
    ['createdAt', '2026-01-01T00:00:00Z'],
  ],
  change: { price: 9.5, salePrice: null, sortOrder: 5 },
  isPaged: false,
  make: async (store, { optionTitle, ...value }) => {
    const { id } = await store.data(
      'create_product',
      leastProduct({ variants: [{ optionTitle, values: [value] }] }),
    );
    return (await store.data('list_variants', { productId: id })).items[0];
  },
  read: async (store, { id, productId }) =>
    (await store.data('list_variants', { productId })).items.find((item: any) => item.id === id),
  listInput: ({ productId }) => ({ productId }),
};

const TOKEN = '284685063:TEST:Zm9vYmFyYmF6';
const PROVIDER = {
  providerName: 'card',
  providerToken: TOKEN,
  isTestMode: true,
  isActive: true,
  supportedCurrencies: ['USD', 'EUR'],
};
const PROVIDER_FIELDS: FieldCase[] = [
  ['providerToken', { accepted: ['', 'x', 'x'.repeat(2000)], refused: [5, []] }],
  ['isTestMode', { accepted: [true, false], refused: ['true', 1, []] }],
  ['isActive', { accepted: [true, false], refused: ['true', 1, []] }],
  [
    'supportedCurrencies',
    {
      accepted: [Array(200).fill('USD'), ['XTR'], ['', 'usd', 'USDT-TRC20', 'usd']],
      refused: [[], 'USD', {}, [1], [null], [['USD']]],
    },
  ],
  ['metadata', { accepted: [{}, { a: [1, null, { b: false }] }], refused: [[], 'x', 5] }],
];
const paymentProvider: RecordKind = {
  name: 'payment_provider',
  plural: 'payment_providers',
  table: 'payment_providers',
  least: () => PROVIDER,
  defaults: { metadata: {} },
  full: { ...PROVIDER, isActive: false, metadata: { keyId: 'key-id-123456', note: null } },
  fullAgain: { isTestMode: true, isActive: false, supportedCurrencies: ['USD', 'EUR'] },
  creating: [
    ['providerName', { accepted: ['x', 'x'.repeat(500)], refused: ['', 5, []] }],
    ...PROVIDER_FIELDS,
  ],
  updating: PROVIDER_FIELDS,
  required: Object.keys(PROVIDER),
  notCreated: [
    ['hasToken', true],
    ['tokenHint', 'abcd'],
  ],
  notUpdated: [
    ['providerName', 'renamed'],
    ['hasToken', true],
    ['tokenHint', 'abcd'],
  ],
  change: { isTestMode: true, isActive: true, supportedCurrencies: ['XTR'] },
  sealed: ['providerToken', 'metadata', 'hasToken', 'tokenHint'],
  shown: ({ providerToken: token, ...input }) =>
    typeof token === 'string'
      ? {
          ...input,
          hasToken: token !== '',
          tokenHint: token.length > 4 ? [...token].slice(-4).join('') : null,
        }
      : input,
  confirmOptional: true,
  isPaged: false,
};

export const KINDS: RecordKind[] = [brand, category, contest, promocode, product, variant, paymentProvider];
