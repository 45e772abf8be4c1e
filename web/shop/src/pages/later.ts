import { CartPage } from './cart-page';
import { Checkout } from './checkout';
import { OrderPage } from './order-page';
import { Orders } from './orders';
import { ProductPage } from './product';

/** By the first part of their addresses; with a slash, those of one record. */
export const PAGES = {
  'p/': ProductPage,
  cart: CartPage,
  checkout: Checkout,
  orders: Orders,
  'orders/': OrderPage,
};
