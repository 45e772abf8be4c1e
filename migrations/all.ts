import { Tenancy1763700000001 } from './1763700000001-tenancy.js';
import { ApiTokens1763700000002 } from './1763700000002-api-tokens.js';
import { AuditLog1763700000003 } from './1763700000003-audit-log.js';
import { Products1763700000004 } from './1763700000004-products.js';
import { Customers1763700000005 } from './1763700000005-customers.js';
import { Orders1763700000006 } from './1763700000006-orders.js';
import { Webhooks1763700000007 } from './1763700000007-webhooks.js';
import { Brands1763700000010 } from './1763700000010-brands.js';
import { Categories1763700000011 } from './1763700000011-categories.js';
import { Contests1763700000012 } from './1763700000012-contests.js';
import { Checkout1763700000040 } from './1763700000040-checkout.js';
import { PaymentProviders1763700000041 } from './1763700000041-payment-providers.js';
import { InvoiceFields1763700000042 } from './1763700000042-invoice-fields.js';
import { Settings1763700000043 } from './1763700000043-settings.js';

/** In the order they apply. */
export const MIGRATIONS = [
  Tenancy1763700000001,
  ApiTokens1763700000002,
  AuditLog1763700000003,
  Products1763700000004,
  Customers1763700000005,
  Orders1763700000006,
  Webhooks1763700000007,
  Brands1763700000010,
  Categories1763700000011,
  Contests1763700000012,
  Checkout1763700000040,
  PaymentProviders1763700000041,
  InvoiceFields1763700000042,
  Settings1763700000043,
];
