import type { CreateProductInput } from '../../groups/products/products.dto.js';
import type { ProductsService } from '../../groups/products/products.service.js';
import type { StoreContext } from '../../platform/store/store-context.js';

const image = (name: string) => [`https://images.example/${name}.jpg`];

const PRODUCTS: CreateProductInput[] = [
  {
    productId: 'mug-classic',
    title: 'Classic mug',
    description: 'Stoneware, 330 ml.',
    images: image('mug-classic'),
    price: 12.5,
    itemAmount: 40,
  },
  {
    productId: 'tee-logo',
    title: 'Logo T-shirt',
    description: 'Heavy organic cotton.',
    images: image('tee-logo'),
    price: 24,
    salePrice: 19.9,
    variants: [
      {
        optionTitle: 'Size',
        values: ['S', 'M', 'L'].map((variantValue, sortOrder) => ({
          variantValue,
          price: 24,
          salePrice: 19.9,
          itemAmount: 15,
          sortOrder,
        })),
      },
    ],
  },
  {
    productId: 'sticker-pack',
    title: 'Sticker pack',
    description: 'Ten weatherproof stickers.',
    images: image('sticker-pack'),
    price: 4.99,
    itemAmount: 200,
  },
  {
    productId: 'notebook-a5',
    title: 'Notebook A5',
    description: '160 dotted pages.',
    images: image('notebook-a5'),
    price: 9,
    itemAmount: 25,
  },
];

/** The demo store's products; the T-shirt comes in sizes. */
export async function seedCatalog(ctx: StoreContext, products: ProductsService): Promise<void> {
  for (const product of PRODUCTS) await products.create(ctx, product);
}
