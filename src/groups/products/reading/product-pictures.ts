import { Identifier, Text } from '../../../platform/schema/fields.js';
import { Example } from '../../../platform/schema/example.js';
import { isUuid } from '../../../platform/schema/formats.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { PICTURES_OF_ORDERS, PICTURES_OF_PRODUCTS } from './product-pictures.statements.js';

@Example({ productId: 'tee-logo', url: 'https://images.example/tee-logo.jpg' })
export class ProductPicture {
  @Identifier() id: string;
  @Text({ description: 'The external id.' }) productId: string;
  @Text({ description: "The first of the product's pictures." }) url: string;
}

/** The main pictures of products, by their internal ids. One that does not exist is left out. */
export const picturesOfProducts = (ctx: StoreContext, ids: string[]): Promise<ProductPicture[]> =>
  ctx.session.read(PICTURES_OF_PRODUCTS, { ids: ids.filter(isUuid) });

/** The main pictures of what was ordered, as far as the products still exist. */
export const picturesOfOrders = (ctx: StoreContext, orderIds: number[]): Promise<ProductPicture[]> =>
  ctx.session.read(PICTURES_OF_ORDERS, { orderIds: orderIds.map(String) });
