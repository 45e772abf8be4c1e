import type { Brand } from '../../groups/brands/brand.entity.js';
import { BrandsService } from '../../groups/brands/brands.service.js';
import type { Category } from '../../groups/categories/category.entity.js';
import { CategoriesService } from '../../groups/categories/categories.service.js';
import { ProductsService } from '../../groups/products/products.service.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { Services } from '../cli/command.js';
import { DAY, MINUTE, type Past } from './past.js';

/** What a shopper can put into a cart: a product, or one value of its option. */
export interface Goods {
  productId: string;
  variantValue?: string;
  optionTitle?: string;
  /** In major units; the sale price if there is one. */
  price: number;
  /** The pieces in stock that the history leaves; undefined if stock is not tracked. */
  pieces?: number;
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
const CATEGORIES = `
Kitchen|kitchen
Mugs|mugs|kitchen
Plates and bowls|plates|kitchen
Clothing|clothing
T-shirts|t-shirts|clothing
Hoodies|hoodies|clothing
Embroidered|embroidered|t-shirts
Stationery|stationery
Notebooks|notebooks|stationery
Stickers|stickers|stationery
Home|home
Winter specials!|winter-specials|home`;

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
bowl-set|Set of four bowls|58||12|plates|nordwind|0|
tee-logo|Logo T-shirt|24|19.9||t-shirts|house-label|10|Size=S:15,M:15,L:15
tee-plain|Plain T-shirt|18|||t-shirts|house-label|6|Size=XS,S,M,L,XL:0
tee-stripes|Striped T-shirt|29|||t-shirts|house-label|4|Size=S:4,M:2,L:0
tee-ornament|T-shirt with ornament|42|||embroidered|vyshyvanka|5|Size=S,M,L
shirt-linen|Linen shirt, embroidered|85|||embroidered|vyshyvanka|2|Size=S:3,M:5,L:5,XL:1
hoodie-zip|Zip hoodie|59|49||hoodies|house-label|4|Size=S,M,L,XL
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

const numberOf = (text: string) => (text === '' ? undefined : Number(text));

/** Each line of the catalog, with what can be bought of it. */
const ROWS = PRODUCTS.trim()
  .split('\n')
  .map((line) => {
    const [productId, title, price, sale, amount, category, brand, weight, options] = line.split('|');
    const [optionTitle, values] = options.split('=');
    const [salePrice, pieces] = [numberOf(sale), numberOf(amount)];
    const common = { productId, price: salePrice ?? Number(price) };
    const variants = values?.split(',').map((value): Goods => {
      const [variantValue, own = STOCK_OF_A_VALUE] = value.split(':');
      const share = Number(weight) / values.split(',').length;
      return { ...common, optionTitle, variantValue, pieces: Number(own), weight: share };
    });
    const goods: Goods[] = variants ?? [{ ...common, pieces, weight: Number(weight) }];
    return { productId, title, price: Number(price), salePrice, category, brand, goods };
  });

export const GOODS = ROWS.flatMap(({ goods }) => goods);

/**
 * Brands, a tree of categories and thirty products come into being, with as many pieces as will be sold.
 * @param pictures the address of the drawings; each product has a part of them
 */
export async function makeCatalog(
  past: Past,
  app: Services,
  sold: Map<Goods, number>,
  pictures: string,
): Promise<void> {
  let at = past.ago(99 * DAY);
  const make = <Record>(operation: string, input: object, work: (ctx: StoreContext) => Promise<Record>) =>
    past.call((at += 3 * MINUTE), operation, input, work);
  const brands = new Map<string, Brand>();
  for (const input of BRANDS) {
    const create = (ctx: StoreContext) => app.get(BrandsService).create(ctx, input);
    brands.set(input.slug, await make('create_brand', input, create));
  }
  const categories = new Map<string, Category>();
  for (const [i, line] of CATEGORIES.trim().split('\n').entries()) {
    const [name, slug, parent] = line.split('|');
    const parentId = categories.get(parent)?.id;
    const isActive = !name.endsWith('!');
    const input = { name: name.replace('!', ''), slug, parentId, sortOrder: i * 10, isActive };
    const create = (ctx: StoreContext) => app.get(CategoriesService).create(ctx, input);
    categories.set(slug, await make('create_category', input, create));
  }
  const inStock = (goods: Goods) =>
    goods.pieces === undefined ? undefined : goods.pieces + (sold.get(goods) ?? 0);
  for (const { productId, title, price, salePrice, goods, ...row } of ROWS) {
    const [brand, category] = [brands.get(row.brand)!, categories.get(row.category)!];
    const [{ optionTitle }] = goods;
    const values = goods.map((value, sortOrder) => ({
      ...{ variantValue: value.variantValue!, price, salePrice, itemAmount: inStock(value), sortOrder },
    }));
    const input = {
      ...{ productId, title, description: `${title} by ${brand.name}.`, price, salePrice },
      ...{ brand: brand.name, brandId: brand.id, category: category.name, categoryId: category.id },
      ...(optionTitle ? { variants: [{ optionTitle, values }] } : { itemAmount: inStock(goods[0]) }),
      images: [`${pictures}#${productId}`],
      tags: `${category.slug}, ${brand.slug}`,
      shippingTime: '1-2 days',
    };
    const create = (ctx: StoreContext) => app.get(ProductsService).create(ctx, input);
    const { id } = await make('create_product', input, create);
    if (productId !== HIDDEN) continue;
    const hidden = { id, isHidden: true };
    const hide = (ctx: StoreContext) => app.get(ProductsService).update(ctx, hidden);
    past.planCall(past.ago(5 * DAY), 'update_product', hidden, hide);
  }
}
