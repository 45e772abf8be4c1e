import { Example } from '../../platform/schema/example.js';
import {
  DateTime,
  Decimal,
  Flag,
  Identifier,
  Integer,
  OneOf,
  Text,
  Uri,
} from '../../platform/schema/fields.js';
import { Nested, NestedList, TextList } from '../../platform/schema/list-fields.js';
import { type Scope, SCOPES } from '../../access/rights.js';

@Example({ name: 'Olena Ceramics', currency: 'USD', plan: 'pro' })
export class OverviewStore {
  @Identifier() id: string;
  @Text() name: string;
  @Text() currency: string;
  @Text() plan: string;
  @DateTime() createdAt: string;
}

@Example({ limit: 100, left: 97 })
export class OverviewBudget {
  @Integer({ min: 0, description: 'Calls in any 60 seconds.' }) limit: number;
  @Integer({ min: 0 }) left: number;
}

@Example({ limit: 200, left: 160 })
export class OverviewLimit {
  @Decimal({ min: 0 }) limit: number;
  @Decimal({ min: 0 }) left: number;
}

/** What a person lets the app give out in a day. */
@Example({ timeZone: 'Europe/Kyiv' })
export class OverviewLimits {
  @Nested(() => OverviewLimit, { nullable: true, description: 'Messages to customers. Null: no limit.' })
  messages: OverviewLimit | null;
  @Nested(() => OverviewLimit, { nullable: true, description: 'Bonus given, in major units.' })
  bonus: OverviewLimit | null;
  @Nested(() => OverviewLimit, { nullable: true, description: 'Refunds, in minor units.' })
  refunds: OverviewLimit | null;
  @DateTime({ description: 'When the day ends.' }) resetsAt: Date;
  @Text() timeZone: string;
}

@Example({ name: 'warehouse' })
export class OverviewToken {
  @Text() name: string;
  @OneOf(SCOPES) scope: Scope;
  @TextList({
    nullable: true,
    description: 'The groups of operations, and names of operations, that it may call. Null: all.',
  })
  groups: readonly string[] | null;
  @Nested(() => OverviewBudget) read: OverviewBudget;
  @Nested(() => OverviewBudget) write: OverviewBudget;
  @Nested(() => OverviewLimits, { nullable: true, description: 'Daily limits of an app. Null: none.' })
  dailyLimits: OverviewLimits | null;
}

@Example({ username: 'olena_ceramics_bot' })
export class OverviewBot {
  @Flag() connected: boolean;
  @Text({ nullable: true }) username: string | null;
}

@Example({ mode: 'manual', fields: 3, activeProviders: 1 })
export class OverviewCheckout {
  @Text() mode: string;
  @Integer({ min: 0 }) fields: number;
  @Integer({ min: 0, description: 'Payment providers that are active.' }) activeProviders: number;
}

@Example({
  products: 120,
  hiddenProducts: 4,
  categories: 9,
  brands: 5,
  customers: 830,
  orders: 1042,
  pendingOrders: 7,
  paidNotReturned: 0,
})
export class OverviewCounts {
  @Integer({ min: 0, nullable: true }) products: number | null;
  @Integer({ min: 0, nullable: true }) hiddenProducts: number | null;
  @Integer({ min: 0, nullable: true }) categories: number | null;
  @Integer({ min: 0, nullable: true }) brands: number | null;
  @Integer({ min: 0, nullable: true }) customers: number | null;
  @Integer({ min: 0, nullable: true }) orders: number | null;
  @Integer({ min: 0, nullable: true }) pendingOrders: number | null;
  @Integer({ min: 0, nullable: true, description: 'Cancelled orders that were paid and not refunded.' })
  paidNotReturned: number | null;
}

@Example({ url: 'https://erp.example.com/hooks/shop', paused: false, pending: 0, failed: 0 })
export class OverviewWebhook {
  @Uri({ nullable: true, description: 'Null: none is set.' }) url: string | null;
  @Flag() paused: boolean;
  @Integer({ min: 0, description: 'The number of waiting deliveries, counted up to 1,000.' }) pending: number;
  @Integer({ min: 0, description: 'The number of the last 100 deliveries that were given up.' })
  failed: number;
  @DateTime({ nullable: true, description: 'From the third failed attempt in a row on; else null.' })
  failingSince: Date | null;
  @Text({ nullable: true, description: 'Why the newest attempt failed, while it is failing.' })
  lastError: string | null;
  @DateTime({ nullable: true }) lastSuccessAt: Date | null;
}

@Example({ item: 'A product is on sale', ok: true, hint: 'Create a product with create_product.' })
export class ChecklistItem {
  @Text() item: string;
  @Flag() ok: boolean;
  @Text({ description: 'What to do about it.' }) hint: string;
}

/** What the groups of the token do not include. */
const OUTSIDE = { nullable: true };

export class StoreOverview {
  @Nested(() => OverviewStore) store: OverviewStore;
  @Nested(() => OverviewToken) token: OverviewToken;
  @Nested(() => OverviewBot, OUTSIDE) bot: OverviewBot | null;
  @Nested(() => OverviewCheckout, OUTSIDE) checkout: OverviewCheckout | null;
  @Nested(() => OverviewCounts) counts: OverviewCounts;
  @Nested(() => OverviewWebhook, OUTSIDE) webhook: OverviewWebhook | null;
  @NestedList(() => ChecklistItem, { description: 'Ready to sell?' }) checklist: ChecklistItem[];
}
