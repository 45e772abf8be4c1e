import type { Output } from '../../api/client';

export type Monetization = Omit<Output<'get_monetization'>, 'updatedAt'>;
export type Cashback = Monetization['cashback'];
