import { EMPTY, expectAllCounted, planFor, problemsOf, stepsOf, stored } from './support.js';

const csv = (rows: (string | number)[][], separator = ',') =>
  rows
    .map((row) =>
      row
        .map((cell) => String(cell))
        .map((cell) => (/["\n;,|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(separator),
    )
    .join('\r\n');

describe('the file of another shop is imported as it is', () => {
  it('of Shopify: variants and pictures below their product, the compare-at price', async () => {
    const plan = await planFor(
      csv([
        [
          ...['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Product Category', 'Type', 'Tags', 'Published'],
          ...[
            'Option1 Name',
            'Option1 Value',
            'Option2 Name',
            'Option2 Value',
            'Variant SKU',
            'Variant Grams',
          ],
          ...[
            'Variant Inventory Tracker',
            'Variant Inventory Qty',
            'Variant Price',
            'Variant Compare At Price',
          ],
          ...['Variant Barcode', 'Image Src', 'Image Position', 'Image Alt Text', 'Gift Card', 'Status'],
        ],
        [
          ...['tee', 'Tee', '<p>Soft &amp; light</p><ul><li>cotton</li></ul>', 'Nord', '', 'Shirts', 'a, b'],
          ...['true', 'Size', 'M', 'Colour', 'Red', 'TEE-M-R', 200, 'shopify', 5, '20.00', '25.00'],
          ...["'4820000000017", 'https://e.com/1.jpg', 1, '', 'false', 'active'],
        ],
        [
          ...[
            'tee',
            '',
            '',
            '',
            '',
            '',
            '',
            '',
            '',
            'L',
            '',
            'Red',
            'TEE-L-R',
            200,
            'shopify',
            -2,
            '21.00',
            '',
          ],
          ...['', 'https://e.com/2.jpg', 2, '', '', ''],
        ],
        [
          'tee',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          'https://e.com/3.jpg',
          3,
          '',
          '',
          '',
        ],
        [
          ...[
            'mug',
            'Mug',
            '',
            'Nord',
            '',
            '',
            '',
            'false',
            'Title',
            'Default Title',
            '',
            '',
            'MUG',
            300,
            '',
            0,
          ],
          ...['12.5', '', '', 'https://e.com/m.jpg', 1, '', 'false', 'draft'],
        ],
      ]),
      { makesMissing: true },
    );
    expect(problemsOf(plan)).toEqual([]);
    expect(stepsOf(plan)).toEqual({
      created: [
        {
          productId: 'tee',
          title: 'Tee',
          description: 'Soft & light\n\n• cotton',
          images: ['https://e.com/1.jpg', 'https://e.com/2.jpg', 'https://e.com/3.jpg'],
          price: 21,
          tags: 'a, b',
          variants: [
            {
              optionTitle: 'Size / Colour',
              values: [
                {
                  variantValue: 'M / Red',
                  price: 25,
                  salePrice: 20,
                  itemAmount: 5,
                  sku: 'TEE-M-R',
                  barcode: '4820000000017',
                },
                { variantValue: 'L / Red', price: 21, itemAmount: 0, sku: 'TEE-L-R' },
              ],
            },
          ],
        },
        {
          productId: 'mug',
          title: 'Mug',
          description: '',
          images: ['https://e.com/m.jpg'],
          price: 12.5,
          sku: 'MUG',
        },
      ],
      products: [{ id: 'mug', isHidden: true }],
    });
    expect(plan.missing).toEqual({
      brands: [{ name: 'Nord', slug: 'nord' }],
      categories: [{ path: ['Shirts'], slug: 'shirts' }],
    });
    expect(plan.leftOut).toEqual(['Variant Grams', 'Gift Card']);
    expect(plan.counts).toMatchObject({ all: 4, new: 4 });
    expectAllCounted(plan);
  });

  it('of WooCommerce: parents by name, paths of categories, attributes in columns', async () => {
    const plan = await planFor(
      csv([
        [
          ...['ID', 'Type', 'SKU', 'GTIN, UPC, EAN, or ISBN', 'Name', 'Published', 'Is featured?'],
          ...[
            'Visibility in catalog',
            'Short description',
            'Description',
            'In stock?',
            'Stock',
            'Weight (kg)',
          ],
          ...['Sale price', 'Regular price', 'Categories', 'Tags', 'Images', 'Parent', 'Position', 'Brands'],
          ...['Attribute 1 name', 'Attribute 1 value(s)', 'Attribute 1 visible', 'Attribute 1 global'],
        ],
        [
          '46',
          'variation',
          'H-B',
          '',
          'Hoodie - Blue',
          1,
          0,
          'visible',
          '',
          '',
          1,
          4,
          '',
          40,
          45,
          '',
          '',
          'https://e.com/b.jpg',
          'H',
          1,
          '',
          'Colour',
          'Blue',
          '',
          1,
        ],
        [
          ...[
            '44',
            'variable',
            'H',
            '',
            'Hoodie',
            1,
            0,
            'visible',
            'Short',
            'A <b>warm</b> one',
            1,
            '',
            '1.5',
          ],
          ...[
            '',
            '',
            'Clothing > Hoodies, Clothing',
            'warm',
            'https://e.com/1.jpg, https://e.com/2.jpg',
            '',
            0,
          ],
          ...['Nord', 'Colour', 'Blue, Green', 1, 1],
        ],
        [
          '47',
          'variation',
          'H-G',
          '',
          'Hoodie - Green',
          1,
          0,
          'visible',
          '',
          '',
          1,
          '',
          '',
          '',
          45,
          '',
          '',
          '',
          'id:44',
          2,
          '',
          'Colour',
          'Green',
          '',
          1,
        ],
        [
          '50',
          'simple',
          'CAP',
          '0012345678905',
          'Cap',
          -1,
          0,
          'visible',
          '',
          'Cap',
          0,
          '',
          '',
          '',
          16,
          'Clothing',
          '',
          'https://e.com/c.jpg',
          '',
          0,
          '',
          'Colour',
          'Yellow',
          1,
          1,
        ],
        [
          '51',
          'grouped',
          'SET',
          '',
          'Set',
          1,
          0,
          'visible',
          '',
          '',
          1,
          '',
          '',
          '',
          '',
          '',
          '',
          'https://e.com/s.jpg',
          '',
          0,
          '',
          '',
          '',
          '',
          '',
        ],
      ]),
      { makesMissing: true },
    );
    expect(problemsOf(plan)).toEqual(['6 Type otherKind']);
    expect(stepsOf(plan)).toEqual({
      created: [
        {
          productId: '44',
          title: 'Hoodie',
          description: 'A warm one',
          images: ['https://e.com/1.jpg', 'https://e.com/2.jpg'],
          price: 45,
          sku: 'H',
          tags: 'warm',
          variants: [
            {
              optionTitle: 'Colour',
              values: [
                { variantValue: 'Blue', price: 45, salePrice: 40, itemAmount: 4, sku: 'H-B' },
                { variantValue: 'Green', price: 45, sku: 'H-G' },
              ],
            },
          ],
        },
        {
          productId: '50',
          title: 'Cap',
          description: 'Cap',
          images: ['https://e.com/c.jpg'],
          price: 16,
          itemAmount: 0,
          sku: 'CAP',
          barcode: '0012345678905',
        },
      ],
      products: [{ id: '50', isHidden: true }],
    });
    expect(plan.steps.created.map(({ brand, category }) => [brand, category])).toEqual([
      ['Nord', ['Clothing', 'Hoodies']],
      [undefined, ['Clothing']],
    ]);
    expect(plan.missing.categories.map(({ path }) => path)).toEqual([['Clothing'], ['Clothing', 'Hoodies']]);
    expectAllCounted(plan);
  });

  it('of PrestaShop: semicolons, several categories, a discount in percent', async () => {
    const products = await planFor(
      csv(
        [
          [
            ...['Product ID', 'Active (0/1)', 'Name*', 'Categories (x,y,z...)', 'Price tax excluded'],
            ...['On sale (0/1)', 'Discount percent', 'Reference #', 'Manufacturer', 'EAN13', 'Quantity'],
            ...['Description', 'Tags (x,y,z...)', 'Image URLs (x,y,z...)'],
          ],
          [
            '1',
            '1',
            'Shirt',
            'Home,Home > Men',
            '20.000000',
            '0',
            '20',
            'demo_1',
            'Graphic',
            '',
            '300',
            '<p>x</p>',
            'a,b',
            'https://e.com/1.jpg,https://e.com/2.jpg',
          ],
        ],
        ';',
      ),
      { makesMissing: true },
    );
    expect(problemsOf(products)).toEqual([]);
    expect(stepsOf(products).created).toMatchObject([
      {
        productId: '1',
        price: 20,
        salePrice: 16,
        itemAmount: 300,
        sku: 'demo_1',
        images: ['https://e.com/1.jpg', 'https://e.com/2.jpg'],
      },
    ]);
    expectAllCounted(products);
  });

  it('of PrestaShop: combinations get the price of their product with the impact on it', async () => {
    const there = { ...EMPTY, products: [stored({ id: '1', price: 20 })] };
    const plan = await planFor(
      csv(
        [
          [
            ...['Product ID*', 'Attribute (Name:Type:Position)*', 'Value (Value:Position)*', 'Reference'],
            ...['EAN13', 'Impact on price', 'Quantity', 'Minimal quantity'],
          ],
          ['1', 'Size:select:0, Colour:color:1', 'S:0, White:1', 'demo_1_S', '', '0.000000', '10', '1'],
          ['1', 'Size:select:0, Colour:color:1', 'M:1, White:1', 'demo_1_M', '', '2.500000', '20', '1'],
        ],
        ';',
      ),
      { stored: there },
    );
    expect(problemsOf(plan)).toEqual([]);
    const values = [
      { variantValue: 'S / White', price: 20, itemAmount: 10, sku: 'demo_1_S' },
      { variantValue: 'M / White', price: 22.5, itemAmount: 20, sku: 'demo_1_M' },
    ];
    expect(stepsOf(plan)).toEqual({
      variants: [{ productId: '1', variants: [{ optionTitle: 'Size / Colour', values }] }],
    });
    expect(plan.leftOut).toEqual(['Minimal quantity']);
    expectAllCounted(plan);
  });

  it('of OpenCart: names in languages, pictures without an address, categories by number', async () => {
    const rows = [
      [
        'product_id',
        'name(en-gb)',
        'name(uk-ua)',
        'categories',
        'sku',
        'ean',
        'quantity',
        'model',
        'manufacturer',
        'image_name',
        'price',
        'status',
        'description(en-gb)',
        'tags(en-gb)',
        'weight',
      ],
      [
        '28',
        'Phone',
        'Телефон',
        '20,24',
        '',
        '',
        '939',
        'Product 1',
        'HTC',
        'catalog/demo/htc one.jpg',
        '100.0000',
        'true',
        '&lt;p&gt;Fast&lt;/p&gt;',
        '',
        '146.40',
      ],
    ];
    const asked = await planFor(csv(rows), { makesMissing: true });
    expect(asked.asksPictureBase).toBe(true);
    const plan = await planFor(csv(rows), { makesMissing: true, pictureBase: 'https://shop.example/image/' });
    expect(problemsOf(plan)).toEqual([]);
    expect(stepsOf(plan).created).toEqual([
      {
        productId: '28',
        title: 'Phone',
        description: 'Fast',
        images: ['https://shop.example/image/catalog/demo/htc%20one.jpg'],
        price: 100,
        itemAmount: 939,
        sku: 'Product 1',
      },
    ]);
    expect(plan.leftOut).toEqual(['name(uk-ua)', 'categories', 'weight']);
    expectAllCounted(plan);
  });

  it('of Square: variations of an item by its name, stock by place', async () => {
    const head = [
      'Token',
      'Item Name',
      'Variation Name',
      'SKU',
      'Description',
      'Category',
      'GTIN',
      'Price',
      'Archived',
      'Current Quantity Main',
      'Current Quantity Depot',
    ];
    const plan = await planFor(
      csv([
        head,
        ['A1', 'Coffee', '250 g', 'C-250', 'Beans', 'Drinks', '', '$9.00', 'N', '3', '4'],
        ['A2', 'Coffee', '1 kg', 'C-1000', '', 'Drinks', '', '$30.00', 'N', '', '2'],
        ['A3', 'Cup', 'Regular', 'CUP', '', 'Ware', '', '$5.00', 'Y', '1', ''],
      ]),
      { makesMissing: true, picture: 'https://e.com/none.jpg' },
    );
    expect(problemsOf(plan)).toEqual([]);
    expect(stepsOf(plan)).toMatchObject({
      created: [
        {
          productId: 'coffee',
          price: 9,
          variants: [
            {
              optionTitle: 'Variation Name',
              values: [
                { variantValue: '250 g', price: 9, itemAmount: 7, sku: 'C-250' },
                { variantValue: '1 kg', price: 30, itemAmount: 2, sku: 'C-1000' },
              ],
            },
          ],
        },
        { productId: 'CUP', title: 'Cup', price: 5, itemAmount: 1, sku: 'CUP' },
      ],
      products: [{ id: 'CUP', isHidden: true }],
    });
    expectAllCounted(plan);
  });

  it('of Wix: surcharges, discounts, choices without lines of their own', async () => {
    const plan = await planFor(
      csv([
        [
          'handleId',
          'fieldType',
          'name',
          'description',
          'productImageUrl',
          'collection',
          'sku',
          'price',
          'surcharge',
          'visible',
          'discountMode',
          'discountValue',
          'inventory',
          'weight',
          'productOptionName1',
          'productOptionType1',
          'productOptionDescription1',
          'brand',
        ],
        [
          'p1',
          'Product',
          'Shirt',
          '<p>x</p>',
          'a1.jpg;b2.jpg',
          'Men;New',
          'S',
          '20',
          '',
          'true',
          'PERCENT',
          '10',
          'InStock',
          '',
          'Size',
          'DROP_DOWN',
          'M;L',
          '',
        ],
        ['p1', 'Variant', '', '', '', '', 'S-M', '', '0', 'true', '', '', '4', '', '', '', 'M', ''],
        [
          'p1',
          'Variant',
          '',
          '',
          '',
          '',
          'S-L',
          '',
          '2.5',
          'true',
          '',
          '',
          'OutOfStock',
          '',
          '',
          '',
          'L',
          '',
        ],
        [
          'p2',
          'Product',
          'Cap',
          '',
          'c3.jpg',
          '',
          '',
          '8',
          '',
          'false',
          'AMOUNT',
          '0',
          '12',
          '',
          'Colour',
          'COLOR',
          '#000000:Black;#ffffff:White',
          'Nord',
        ],
      ]),
      { makesMissing: true, pictureBase: 'https://static.wixstatic.com/media/' },
    );
    expect(problemsOf(plan)).toEqual([]);
    expect(stepsOf(plan)).toEqual({
      created: [
        {
          productId: 'p1',
          title: 'Shirt',
          description: 'x',
          images: ['https://static.wixstatic.com/media/a1.jpg', 'https://static.wixstatic.com/media/b2.jpg'],
          price: 20,
          salePrice: 18,
          sku: 'S',
          variants: [
            {
              optionTitle: 'Size',
              values: [
                { variantValue: 'M', price: 20, salePrice: 18, itemAmount: 4, sku: 'S-M' },
                { variantValue: 'L', price: 22.5, salePrice: 20.5, itemAmount: 0, sku: 'S-L' },
              ],
            },
          ],
        },
        {
          productId: 'p2',
          title: 'Cap',
          description: '',
          images: ['https://static.wixstatic.com/media/c3.jpg'],
          price: 8,
          itemAmount: 12,
          variants: [
            {
              optionTitle: 'Colour',
              values: [
                { variantValue: 'Black', price: 8 },
                { variantValue: 'White', price: 8 },
              ],
            },
          ],
        },
      ],
      products: [{ id: 'p2', isHidden: true }],
    });
    expectAllCounted(plan);
  });

  it('of 1C: lines before the headings, headings of sections, grouped numbers, Windows-1251', async () => {
    const text = csv(
      [
        ['Прайс-лист на 01.12.2026', '', '', '', '', ''],
        ['', '', '', '', '', ''],
        ['Код', 'Артикул', 'Номенклатура', 'Ед. изм.', 'Цена, руб.', 'Остаток'],
        ['', '', 'Посуда', '', '', ''],
        ['00-00001', 'КР-1', 'Кружка синяя', 'шт', '1 250,50', '12,000'],
        ['00-00002', 'КР-2', 'Кружка красная', 'шт', '990,00 руб.', '3,000'],
      ],
      ';',
    );
    const bytes = Uint8Array.from(
      [...text].map((sign) => {
        const code = sign.charCodeAt(0);
        return code < 128 ? code : code - 0x410 + 0xc0;
      }),
    );
    const plan = await planFor(bytes, { currency: 'RUB', picture: 'https://e.com/none.jpg' });
    expect(problemsOf(plan)).toEqual([]);
    expect(stepsOf(plan).created).toEqual([
      {
        productId: '00-00001',
        title: 'Кружка синяя',
        description: '',
        images: ['https://e.com/none.jpg'],
        price: 1250.5,
        itemAmount: 12,
        sku: 'КР-1',
      },
      {
        productId: '00-00002',
        title: 'Кружка красная',
        description: '',
        images: ['https://e.com/none.jpg'],
        price: 990,
        itemAmount: 3,
        sku: 'КР-2',
      },
    ]);
    expect(plan.counts).toMatchObject({ all: 3, new: 2, sections: 1 });
    const euros = await planFor(bytes, { currency: 'EUR', stored: EMPTY });
    expect(problemsOf(euros)).toContain('6 Цена, руб. currency');
  });
});
