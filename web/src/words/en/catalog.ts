import { plurals } from '../plural';

const n = plurals('en');

export const catalog = {
  products: {
    title: 'Products',
    create: 'Add a product',
    createHint: 'Variants, such as sizes, are added afterwards.',
    find: 'Title, id, tag',
    empty: 'No products yet',
    emptyHint: 'Add your first product: shoppers see it at once.',
    category: 'Category',
    brand: 'Brand',
    show: 'Show only',
    hidden: 'Hidden',
    visible: 'Visible',
    hide: 'Hide',
    unhide: 'Show to shoppers',
    low: 'Low stock',
    state: 'State',
    duplicate: 'Duplicate',
    externalId: 'Id in your systems',
    externalIdHint: 'It stays the same for ever: partners know the product by it.',
    price: 'Price',
    images: 'Pictures',
    addImage: 'Add a picture',
    stock: 'Stock',
    stockAndVariants: 'Stock and variants',
    stockHint: 'Empty: not counted.',
    stockOf: (name: string) => `Stock of ${name}`,
    stockMode: 'How to change it',
    stockBy: 'Add or take',
    stockTo: 'Set to',
    stockSaved: (name: string) => `Stock of ${name} is changed`,
    variant: 'Variant',
    addVariant: 'Add a variant',
    variantsCount: (count: number) => n(count, { one: '# variant', other: '# variants' }),
  },

  brands: {
    title: 'Brands',
    create: 'Create a brand',
    empty: 'No brands yet',
    emptyHint: 'Brands help shoppers find products of a maker.',
  },

  categories: {
    title: 'Categories',
    create: 'Create a category',
    createBelow: 'Create one below',
    parent: 'Below',
    inactive: 'Not active',
    empty: 'No categories yet',
    emptyHint: 'Categories are the shelves of the shop; one can stand below another.',
  },
};
