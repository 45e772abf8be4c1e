import { readFileSync } from 'node:fs';
import { OrderParts1795500004000 } from './1795500004000-order-parts.js';
import { OrderRefunds1795500004001 } from './1795500004001-order-refunds.js';
import { AwaitedPayments1795500005000 } from './1795500005000-awaited-payments.js';
import { CampaignActors1795500005001 } from './1795500005001-campaign-actors.js';
import { MovedVersions1795500006000 } from './1795500006000-moved-versions.js';
import { RequestIds1795600060000 } from './1795600060000-request-ids.js';
import { PreviousSecrets1795600060001 } from './1795600060001-previous-secrets.js';
import { KeptChanges1795600040001 } from './1795600040001-kept-changes.js';
import { PreviewedChanges1795600040000 } from './1795600040000-previewed-changes.js';
import { Suspension1795700030000 } from './1795700030000-suspension.js';
import { OperatorLog1795700030001 } from './1795700030001-operator-log.js';
import { OrderReferences1795700040001 } from './1795700040001-order-references.js';
import { DailyLimits1795700060001 } from './1795700060001-daily-limits.js';
import { CustomerSales1795800000001 } from './1795800000001-customer-sales.js';
import { OrderAddresses1795800000002 } from './1795800000002-order-addresses.js';
import { ProductCodes1795800000003 } from './1795800000003-product-codes.js';
import { CustomerReferences1795800000004 } from './1795800000004-customer-references.js';
import { RecordChanges1795800000005 } from './1795800000005-record-changes.js';
import { StoreMoves1795800000006 } from './1795800000006-store-moves.js';
import { Pictures1795800000008 } from './1795800000008-pictures.js';
import { CopiedSums1795800000009 } from './1795800000009-copied-sums.js';
import { FoundOrders1795900000002 } from './1795900000002-found-orders.js';
import { SavedViews1795900000003 } from './1795900000003-saved-views.js';
import { FirstSales1795900000004 } from './1795900000004-first-sales.js';
import { PushSubscriptions1795900000005 } from './1795900000005-push-subscriptions.js';
import { RecoveredServers1795900000009 } from './1795900000009-recovered-servers.js';
import { CountedLines1795900000020 } from './1795900000020-counted-lines.js';
import { NoticeChats1795900000006 } from './1795900000006-notice-chats.js';
import { FoundLetters1795700010001 } from './1795700010001-found-letters.js';
import { StoreTimeZones1795700010000 } from './1795700010000-store-time-zones.js';
import type { Migrations } from '../src/platform/database/installation/migration-runner.js';
import { Rights1795500002000 } from './1795500002000-rights.js';
import { BonusDebts1795500003000 } from './1795500003000-bonus-debts.js';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The schema, and the steps that bring older databases to it, in the order in which they are applied. */
export const MIGRATIONS: Migrations = {
  baseline: read('baseline.sql'),
  schema: read('schema.sql'),
  steps: [
    Rights1795500002000,
    BonusDebts1795500003000,
    OrderParts1795500004000,
    OrderRefunds1795500004001,
    AwaitedPayments1795500005000,
    CampaignActors1795500005001,
    MovedVersions1795500006000,
    PreviewedChanges1795600040000,
    KeptChanges1795600040001,
    RequestIds1795600060000,
    PreviousSecrets1795600060001,
    StoreTimeZones1795700010000,
    FoundLetters1795700010001,
    Suspension1795700030000,
    OperatorLog1795700030001,
    OrderReferences1795700040001,
    DailyLimits1795700060001,
    CustomerSales1795800000001,
    OrderAddresses1795800000002,
    ProductCodes1795800000003,
    CustomerReferences1795800000004,
    RecordChanges1795800000005,
    StoreMoves1795800000006,
    Pictures1795800000008,
    CopiedSums1795800000009,
    FoundOrders1795900000002,
    SavedViews1795900000003,
    FirstSales1795900000004,
    PushSubscriptions1795900000005,
    NoticeChats1795900000006,
    RecoveredServers1795900000009,
    CountedLines1795900000020,
  ],
};
