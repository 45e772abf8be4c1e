import { plurals } from '../plural';

const n = plurals('en');

export const catalog = {
  products: {
    saleState: { on: 'On sale', off: 'Not on sale' },
    heavy: 'Heavy picture',
    heavyHint: 'Shoppers wait for it. Upload it here: small ones are made of it.',
    title: 'Products',
    create: 'Add a product',
    createHint: 'Only what has a star is needed; the rest can follow.',
    variants: 'Variants',
    variantsHint: 'Sizes, colours and the like. A variant without a price has that of the product.',
    option: 'Option',
    optionExample: 'Size',
    valuesOf: (name: string) => `Values of ${name}`,
    valuesExample: 'S, M, L',
    addOption: 'Add an option',
    tooMany: (most: number) => `These are more than ${most} variants. Take values away.`,
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
    oneOption: (title: string) =>
      `“${title}” adds to what there is: shoppers choose one value over all options.`,
    severalOptions:
      'Shoppers choose one value over all options, so that a size and a colour cannot both be ordered. Add ' +
      'their combinations as values of one option, such as “S / red”.',
    addVariants: 'Add several variants',
    addCount: (count: number) => n(count, { one: 'Add # variant', other: 'Add # variants' }),
    variantsAdded: (count: number) => n(count, { one: '# variant is added', other: '# variants are added' }),
    variantsStay:
      'The values of the options, as size and colour. What the product has already stays as it is; a new ' +
      'variant without a price has that of the product.',
    codes: 'Codes',
    setCodes: 'Set the codes',
    sku: 'SKU',
    barcode: 'Barcode',
    prices: 'Prices and stock',
    pricesHint: 'Type, or paste cells of a spreadsheet. Enter goes to the next line.',
    product: 'Product',
    salePrice: 'Sale price',
    changes: (count: number) => n(count, { one: '# change', other: '# changes' }),
    review: 'Review the changes',
    reviewTitle: 'What will change',
    saveChanges: (count: number) => n(count, { one: 'Save # change', other: 'Save # changes' }),
    pricesSaved: (count: number) =>
      n(count, { one: 'Prices of # line are saved', other: 'Prices of # lines are saved' }),
    stocksSaved: (count: number) =>
      n(count, { one: 'Stock of # line is saved', other: 'Stock of # lines is saved' }),
    notSaved: (count: number) =>
      n(count, {
        one: '# line was not saved. It says why.',
        other: '# lines were not saved. They say why.',
      }),
    noPlace: (count: number) =>
      n(count, { one: '# pasted row found no line.', other: '# pasted rows found no line.' }),
    byPercent: 'Change by percent',
    percent: 'Percent, for example -10 or 5',
    percentOf: 'What to set',
    saleFromPrice: 'The sale price is set from the price, which stays.',
    rounding: 'Round to',
    roundingLess: (step: string, less: string) => `${step}, less ${less}`,
    applyPercent: (count: number) => n(count, { one: 'Change # price', other: 'Change # prices' }),
    editSeveral: (count: number) => n(count, { one: 'Edit # product', other: 'Edit # products' }),
    changeCount: (count: number) => n(count, { one: 'Change # product', other: 'Change # products' }),
    changed: (count: number) => n(count, { one: '# product is changed', other: '# products are changed' }),
    leave: 'Leave as it is',
    variantsCount: (count: number) => n(count, { one: '# variant', other: '# variants' }),
  },

  imports: {
    link: 'Import CSV',
    title: 'Import products',
    hint: 'A file like that of the export. You see what would change first; columns that are not there stay.',
    choose: 'Choose a file',
    nothing: 'Nothing would change.',
    isNew: 'new',
    line: (line: number) => `Line ${line}`,
    submit: (count: number) => n(count, { one: 'Import # line', other: 'Import # lines' }),
    done: (count: number) => n(count, { one: '# line is imported.', other: '# lines are imported.' }),
    newStay: 'New products stay. Delete those you do not want.',
    leftOut: (count: number) => n(count, { one: '# line is left out', other: '# lines are left out' }),
    encoding: 'This file is not in UTF-8. Save it as “CSV UTF-8”.',
    columns: (names: string) => `The first line must name columns of the export: ${names}.`,
    quotes: 'A quotation mark is not closed.',
    twice: 'That line is there twice.',
    unknown: 'No product with this id, and no title for a new one.',
    noProduct: (id: string) => `New variants can only be imported with their new product, not for ${id}.`,
    noPicture: 'A new product needs the address of a picture in the column images.',
    variant: 'A variant must be written as option and value, for example Size: M.',
    noSuch: (name: string) => `There is none named ${name}.`,
    several: (name: string) => `Several have ${name}.`,
    flag: 'true or false.',
    stockStays: 'itemAmount: the stock of a variant cannot be emptied.',
    shortened: (code: string) => `A spreadsheet has shortened this code to ${code}.`,
    currency: (code: string) => `These amounts are in ${code}, and the store's are not.`,
  },

  /** What the service warns of, in an owner's words. */
  warnings: {
    notSaved: 'Nothing is saved yet',
    allTheSame: 'Save all the same',
    saleNotBelow: (sale: string, price: string) =>
      `The sale price ${sale} is not below the price ${price}: shoppers pay ${sale}.`,
    jump: (before: string, after: string) =>
      `Shoppers paid ${before} and will now pay ${after}. Is that meant?`,
    free: 'Shoppers get this for free. Is that meant?',
    options: (count: number) => `Shoppers choose one value of all ${count} options together.`,
    unseen: (category: string, above?: string) =>
      above === undefined
        ? `Shoppers do not see this: the category ${category} is not active.`
        : `Shoppers do not see this: ${category} is below ${above}, which is not active.`,
    offSale: (count: number) =>
      `Shoppers will not see ${n(count, { one: '# product', other: '# products' })} any more.`,
    onSale: (count: number) =>
      `Shoppers will see ${n(count, { one: '# product', other: '# products' })} again.`,
    textAlone: (text: string) => `“${text}” is a text alone. Choose it in the list to put the product there.`,
    stillSays: (text: string, shown: string) => `A text still says “${text}”; shoppers see “${shown}”.`,
    noEffect: (fields: string) => `Shoppers buy the variants, so this changes nothing for them: ${fields}.`,
    cleared: (fields: string) => `Emptied: ${fields}.`,
    noButton: 'A button needs a text and an address. This message goes out without one.',
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
