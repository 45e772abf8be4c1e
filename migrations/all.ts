import { Tenancy1763700000001 } from './1763700000001-tenancy.js';
import { ApiTokens1763700000002 } from './1763700000002-api-tokens.js';
import { AuditLog1763700000003 } from './1763700000003-audit-log.js';
import { Products1763700000004 } from './1763700000004-products.js';
import { Customers1763700000005 } from './1763700000005-customers.js';
import { Orders1763700000006 } from './1763700000006-orders.js';
import { Webhooks1763700000007 } from './1763700000007-webhooks.js';
import { DeliveryPace1763700000150 } from './1763700000150-delivery-pace.js';
import { Brands1763700000010 } from './1763700000010-brands.js';
import { Categories1763700000011 } from './1763700000011-categories.js';
import { Contests1763700000012 } from './1763700000012-contests.js';
import { Promocodes1763700000013 } from './1763700000013-promocodes.js';
import { CustomerSearch1763700000020 } from './1763700000020-customer-search.js';
import { BonusLedger1763700000021 } from './1763700000021-bonus-ledger.js';
import { Monetization1763700000022 } from './1763700000022-monetization.js';
import { CustomerSearchUpkeep1763700000023 } from './1763700000023-customer-search-upkeep.js';
import { Bots1763700000030 } from './1763700000030-bots.js';
import { Campaigns1763700000031 } from './1763700000031-campaigns.js';
import { Checkout1763700000040 } from './1763700000040-checkout.js';
import { PaymentProviders1763700000041 } from './1763700000041-payment-providers.js';
import { InvoiceFields1763700000042 } from './1763700000042-invoice-fields.js';
import { Settings1763700000043 } from './1763700000043-settings.js';
import { AuditAge1763700000120 } from './1763700000120-audit-age.js';
import { CheckoutSecrets1763700000121 } from './1763700000121-checkout-secrets.js';
import { IdempotencyActors1763700000122 } from './1763700000122-idempotency-actors.js';
import { DeliveriesOfDeletedOrders1763700000123 } from './1763700000123-deliveries-of-deleted-orders.js';
import { Visits1763700000050 } from './1763700000050-visits.js';
import { Billing1763700000051 } from './1763700000051-billing.js';
import { SalesDays1763700000052 } from './1763700000052-sales-days.js';
import { Sessions1763700000060 } from './1763700000060-sessions.js';
import { SignInAttempts1763700000061 } from './1763700000061-sign-in-attempts.js';
import { IdempotencyKeys1763700000080 } from './1763700000080-idempotency-keys.js';
import { ContactCounts1763700000081 } from './1763700000081-contact-counts.js';
import { WideStock1763700000082 } from './1763700000082-wide-stock.js';
import { PromocodeKeys1763700000083 } from './1763700000083-promocode-keys.js';
import { PaymentIds1763700000170 } from './1763700000170-payment-ids.js';
import { OrderMemory1763700000160 } from './1763700000160-order-memory.js';
import { OrderHistory1763700000161 } from './1763700000161-order-history.js';
import { Cancelling1763700000162 } from './1763700000162-cancelling.js';
import { Storefront1763700000070 } from './1763700000070-storefront.js';
import { Invitations1763700000100 } from './1763700000100-invitations.js';
import { ListedSessions1763700000101 } from './1763700000101-listed-sessions.js';
import { KnownBrowsers1763700000102 } from './1763700000102-known-browsers.js';
import { PasswordResets1763700000103 } from './1763700000103-password-resets.js';
import { SecondFactors1763700000104 } from './1763700000104-second-factors.js';
import { SealedSecondFactors1763700000105 } from './1763700000105-sealed-second-factors.js';
import { Installation1763700000140 } from './1763700000140-installation.js';
import { EditedNames1763700000180 } from './1763700000180-edited-names.js';
import { InactiveCategories1763700000181 } from './1763700000181-inactive-categories.js';
import { OneBotOneStore1763700000182 } from './1763700000182-one-bot-one-store.js';
import { Oauth1763700000250 } from './1763700000250-oauth.js';
import { BonusActors1763700000210 } from './1763700000210-bonus-actors.js';
import { SearchKeys1763700000211 } from './1763700000211-search-keys.js';
import { ProductSearch1763700000212 } from './1763700000212-product-search.js';
import { ProductMarks1763700000213 } from './1763700000213-product-marks.js';
import { OrderSearch1763700000214 } from './1763700000214-order-search.js';
import { OrderTimeline1763700000215 } from './1763700000215-order-timeline.js';
import { SearchEstimates1763700000216 } from './1763700000216-search-estimates.js';
import { OrderEvents1763700000230 } from './1763700000230-order-events.js';
import { AuditFilters1763700000270 } from './1763700000270-audit-filters.js';
import { PromocodeSearch1763700000260 } from './1763700000260-promocode-search.js';
import { DeliveryTraces1763700000300 } from './1763700000300-delivery-traces.js';
import { DueStores1763700000310 } from './1763700000310-due-stores.js';
import { FreshDeliveries1763700000311 } from './1763700000311-fresh-deliveries.js';
import { Ages1763700000312 } from './1763700000312-ages.js';
import { Referrals1763700000313 } from './1763700000313-referrals.js';
import { PackedSales1763700000314 } from './1763700000314-packed-sales.js';
import { UnpackedSales1763700000315 } from './1763700000315-unpacked-sales.js';
import { EventsEndWithStores1763700000316 } from './1763700000316-events-end-with-stores.js';
import { DeliveryDays1763700000323 } from './1763700000323-delivery-days.js';
import { FailedDeliveries1763700000261 } from './1763700000261-failed-deliveries.js';
import { NoteAuthors1763700000262 } from './1763700000262-note-authors.js';

/** The migrations, in the order in which they are applied. */
export const MIGRATIONS = [
  Tenancy1763700000001,
  ApiTokens1763700000002,
  AuditLog1763700000003,
  Products1763700000004,
  Customers1763700000005,
  Orders1763700000006,
  Webhooks1763700000007,
  DeliveryPace1763700000150,
  Brands1763700000010,
  Categories1763700000011,
  Contests1763700000012,
  Promocodes1763700000013,
  CustomerSearch1763700000020,
  BonusLedger1763700000021,
  Monetization1763700000022,
  CustomerSearchUpkeep1763700000023,
  Bots1763700000030,
  Campaigns1763700000031,
  Checkout1763700000040,
  PaymentProviders1763700000041,
  InvoiceFields1763700000042,
  Settings1763700000043,
  Visits1763700000050,
  Billing1763700000051,
  SalesDays1763700000052,
  Sessions1763700000060,
  SignInAttempts1763700000061,
  Storefront1763700000070,
  AuditAge1763700000120,
  CheckoutSecrets1763700000121,
  IdempotencyActors1763700000122,
  DeliveriesOfDeletedOrders1763700000123,
  IdempotencyKeys1763700000080,
  ContactCounts1763700000081,
  WideStock1763700000082,
  PromocodeKeys1763700000083,
  PaymentIds1763700000170,
  OrderMemory1763700000160,
  OrderHistory1763700000161,
  Invitations1763700000100,
  ListedSessions1763700000101,
  KnownBrowsers1763700000102,
  PasswordResets1763700000103,
  SecondFactors1763700000104,
  SealedSecondFactors1763700000105,
  Installation1763700000140,
  Cancelling1763700000162,
  EditedNames1763700000180,
  InactiveCategories1763700000181,
  OneBotOneStore1763700000182,
  Oauth1763700000250,
  BonusActors1763700000210,
  SearchKeys1763700000211,
  ProductSearch1763700000212,
  ProductMarks1763700000213,
  OrderSearch1763700000214,
  OrderTimeline1763700000215,
  OrderEvents1763700000230,
  SearchEstimates1763700000216,
  AuditFilters1763700000270,
  PromocodeSearch1763700000260,
  DeliveryTraces1763700000300,
  DueStores1763700000310,
  FreshDeliveries1763700000311,
  Ages1763700000312,
  Referrals1763700000313,
  FailedDeliveries1763700000261,
  NoteAuthors1763700000262,
  PackedSales1763700000314,
  UnpackedSales1763700000315,
  EventsEndWithStores1763700000316,
  DeliveryDays1763700000323,
];
