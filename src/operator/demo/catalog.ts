import type { Brand } from '../../groups/brands/brand.entity.js';
import type { BrandsService } from '../../groups/brands/brands.service.js';
import type { Category } from '../../groups/categories/category.entity.js';
import type { CategoriesService } from '../../groups/categories/categories.service.js';
import type { CreateProductInput, ProductRecord } from '../../groups/products/products.dto.js';
import type { ProductsService } from '../../groups/products/products.service.js';
import { DAY, HOUR, MINUTE, type Past } from './past.js';

interface CatalogServices {
  brands: BrandsService;
  categories: CategoriesService;
  products: ProductsService;
}

/** A product or variant that a shopper can put into a cart. */
export interface Goods {
  product: ProductRecord;
  category: Category;
  variant: { id: string; optionTitle: string; variantValue: string } | null;
  /** The price in major units; the sale price if there is one. */
  price: number;
  isTracked: boolean;
  /** How often it is bought, relative to the others. */
  weight: number;
}

const BRANDS = [
  {
    name: 'Nordwind',
    slug: 'nordwind',
    description: 'Stoneware from the coast.',
    websiteUrl: 'https://nordwind.example/',
  },
  { name: 'Paper & Pine', slug: 'paper-and-pine', description: 'Stationery of recycled paper.' },
  { name: 'Вишиванка', slug: 'vyshyvanka', description: 'Embroidery by hand.' },
  { name: 'House label', slug: 'house-label', description: 'What we make ourselves.' },
  { name: 'Old Mill', slug: 'old-mill', isActive: false },
];

/** Name, slug, slug of the parent. The name of an inactive category ends with an exclamation mark. */
const CATEGORIES = [
  ['Kitchen', 'kitchen', ''],
  ['Mugs', 'mugs', 'kitchen'],
  ['Plates and bowls', 'plates', 'kitchen'],
  ['Clothing', 'clothing', ''],
  ['T-shirts', 't-shirts', 'clothing'],
  ['Hoodies', 'hoodies', 'clothing'],
  ['Embroidered', 'embroidered', 't-shirts'],
  ['Stationery', 'stationery', ''],
  ['Notebooks', 'notebooks', 'stationery'],
  ['Stickers', 'stickers', 'stationery'],
  ['Home', 'home', ''],
  ['Winter specials!', 'winter-specials', 'home'],
] as const;

/**
 * External id, title, price, sale price, pieces in stock (empty if not tracked), category, brand, weight,
 * option and its values. A value may have its own number of pieces.
 */
const PRODUCTS = `
mug-classic|Classic mug|12.5||40|mugs|nordwind|9|
mug-espresso|Espresso cup|9.9||64|mugs|nordwind|5|
mug-travel|Travel mug|27|22.5|18|mugs|nordwind|4|Colour=Sand,Moss,Night
mug-giant|Giant mug|19||0|mugs|nordwind|2|
tea-pot|Tea pot|46||7|kitchen|nordwind|2|
plate-dinner|Dinner plate|16||88|plates|nordwind|4|
plate-dessert|Dessert plate|11.5||120|plates|nordwind|3|
bowl-ramen|Ramen bowl|21|17.9|3|plates|nordwind|4|
bowl-set|Set of four bowls|58||12|plates|nordwind|1|
tee-logo|Logo T-shirt|24|19.9||t-shirts|house-label|10|Size=S:15,M:15,L:15
tee-plain|Plain T-shirt|18||| t-shirts|house-label|6|Size=XS,S,M,L,XL:0
tee-stripes|Striped T-shirt|29||| t-shirts|house-label|4|Size=S:4,M:2,L:0
tee-ornament|T-shirt with ornament|42|||embroidered|vyshyvanka|5|Size=S,M,L
shirt-linen|Linen shirt, embroidered|85|||embroidered|vyshyvanka|2|Size=S:3,M:5,L:5,XL:1
hoodie-zip|Zip hoodie|59|49|| hoodies|house-label|4|Size=S,M,L,XL
hoodie-heavy|Heavy hoodie|72|||hoodies|house-label|2|Size=M:9,L:6
socks-wool|Wool socks|14||55|clothing|house-label|5|
cap-canvas|Canvas cap|22||5|clothing|house-label|2|
notebook-a5|Notebook A5|9||25|notebooks|paper-and-pine|8|
notebook-a4|Notebook A4|13||31|notebooks|paper-and-pine|3|
planner-2027|Planner 2027|24|20|60|notebooks|paper-and-pine|4|
pencil-set|Set of pencils|7.5|||stationery|paper-and-pine|4|
cards-greeting|Greeting cards, ten|11||42|stationery|paper-and-pine|3|
sticker-pack|Sticker pack|4.99||200|stickers|paper-and-pine|9|
sticker-cats|Cat stickers|3.5||2|stickers|paper-and-pine|6|
candle-pine|Pine candle|17.5||33|home|house-label|5|
candle-fig|Fig candle|17.5||1|home|house-label|3|
blanket-wool|Wool blanket|110|95|4|home|old-mill|1|
poster-city|City poster|15|||home|house-label|3|Format=A3,A2
gift-box|Gift box of the season|64||20|winter-specials|house-label|0|`;
/** The product that is not on sale yet. */
const HIDDEN = 'bowl-set';
const STOCK_OF_A_VALUE = 24;

/** Creates brands, a tree of categories and thirty products, one after another, some months ago. */
export async function seedCatalog(
  past: Past,
  { brands, categories, products }: CatalogServices,
): Promise<Goods[]> {
  const begun = past.ago(99 * DAY);
  const brandBySlug = new Map<string, Brand>();
  for (const [i, input] of BRANDS.entries()) {
    const made = await past.run(begun + i * MINUTE, 'create_brand', input, (ctx) =>
      brands.create(ctx, input),
    );
    brandBySlug.set(made.slug, made);
  }
  const categoryBySlug = new Map<string, Category>();
  for (const [i, [name, slug, parent]] of CATEGORIES.entries()) {
    const input = {
      name: name.replace('!', ''),
      slug,
      parentId: categoryBySlug.get(parent)?.id,
      sortOrder: i * 10,
      isActive: !name.endsWith('!'),
    };
    const at = begun + HOUR + i * MINUTE;
    categoryBySlug.set(
      slug,
      await past.run(at, 'create_category', input, (ctx) => categories.create(ctx, input)),
    );
  }
  const goods: Goods[] = [];
  for (const [i, line] of PRODUCTS.trim().split('\n').entries()) {
    const [, , , , , categorySlug, brandSlug, weight] = line.split('|').map((part) => part.trim());
    const [category, brand] = [categoryBySlug.get(categorySlug)!, brandBySlug.get(brandSlug)!];
    const input = productOf(line, category, brand);
    const at = begun + DAY + i * 3 * MINUTE;
    const product = await past.run(at, 'create_product', input, (ctx) => products.create(ctx, input));
    goods.push(...goodsOf(product, category, Number(weight)));
  }
  const hidden = goods.find(({ product }) => product.productId === HIDDEN)!;
  const input = { id: hidden.product.id, isHidden: true };
  await past.run(past.ago(5 * DAY), 'update_product', input, (ctx) => products.update(ctx, input));
  return goods;
}

/** The input for a product. It has no pictures, because they would have to be loaded from another host. */
function productOf(line: string, category: Category, brand: Brand): CreateProductInput {
  const [productId, title, price, salePrice, itemAmount, , , , options] = line
    .split('|')
    .map((part) => part.trim());
  const [optionTitle, values] = options.split('=');
  const group = values && {
    optionTitle,
    values: values.split(',').map((value, sortOrder) => {
      const [variantValue, pieces = STOCK_OF_A_VALUE] = value.split(':');
      const sale = salePrice === '' ? {} : { salePrice: Number(salePrice) };
      return { variantValue, price: Number(price), ...sale, itemAmount: Number(pieces), sortOrder };
    }),
  };
  return {
    productId,
    title,
    description: `${title} by ${brand.name}.`,
    images: [],
    price: Number(price),
    ...(salePrice === '' ? {} : { salePrice: Number(salePrice) }),
    ...(itemAmount === '' ? {} : { itemAmount: Number(itemAmount) }),
    brand: brand.name,
    category: category.name,
    tags: `${category.slug}, ${brand.slug}`,
    shippingTime: '1-2 days',
    brandId: brand.id,
    categoryId: category.id,
    ...(group ? { variants: [group] } : {}),
  };
}

function goodsOf(product: ProductRecord, category: Category, weight: number): Goods[] {
  const { price, salePrice, itemAmount, variants } = product;
  if (variants.length === 0) {
    return [
      { product, category, variant: null, price: salePrice ?? price, isTracked: itemAmount !== null, weight },
    ];
  }
  return variants.flatMap(({ optionTitle, values }) =>
    values.map((value) => ({
      product,
      category,
      variant: { id: value.id, optionTitle, variantValue: value.variantValue },
      price: value.salePrice ?? value.price,
      isTracked: value.itemAmount !== null,
      weight: weight / values.length,
    })),
  );
}
