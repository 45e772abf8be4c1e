import type { Output } from '../../api/client';

/** The checkout form of the store. */
export type Checkout = Omit<Output<'get_checkout'>, 'updatedAt'>;
export type Field = Checkout['fields'][number];
export type Filter = Checkout['filters'][number];
