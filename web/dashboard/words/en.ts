import { general } from './en/general';
import { menu } from './en/menu';
import { orders } from './en/orders';

/**
 * The texts with which the dashboard begins: those of the frame, of signing in and of orders. All others come
 * after them (en/rest.ts). Other languages have the same shape (uk.ts).
 */
const en = { ...general, ...menu, ...orders };

export type FirstWords = typeof en;
export default en;
