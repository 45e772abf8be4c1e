import type { Output } from '../../api/client';

export type Provider = Output<'get_payment_provider'>;
