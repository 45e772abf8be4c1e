import { BulkResult, ItemResult } from '../../platform/schema/bulk-result.js';
import { UpdateOf } from '../../platform/schema/derived-fields.js';
import { Example } from '../../platform/schema/example.js';
import type { InvalidItem } from '../../platform/schema/field-spec.js';
import { DateTime, Decimal, Flag, Identifier, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { NestedList } from '../../platform/schema/list-fields.js';
import { AtLeastOneBesidesId } from '../../platform/schema/rules.js';
import { IdInput } from '../../platform/schema/pages/page.dto.js';
import { Warnings } from '../../platform/schema/warnings.js';
import type { Discount } from './discount.js';

const DISCOUNT_TYPES = ['PERCENTAGE', 'FIXED_AMOUNT'] as const;
const CODE = 'The code that shoppers enter. It is unique in the store, without regard to case.';
const DISCOUNT_VALUE =
  'For PERCENTAGE the percent; more than 100 counts as 100. For FIXED_AMOUNT the amount in major units of ' +
  "the store's currency, with at most its decimals.";
const EXPIRES_AT =
  'The moment from which the code can no longer be used. Null means that it does not expire.';
const MAX_USES = 'The number of orders that may use the code. Null means no limit.';
const IS_ACTIVE = 'Whether the code can be used.';

@Example({ code: 'SPRING10', discountType: 'PERCENTAGE', discountValue: 10, maxUses: 100 })
export class CreatePromocodeInput {
  @Text({ isKey: true, min: 1, max: 64, description: CODE }) code: string;
  @OneOf(DISCOUNT_TYPES) discountType: Discount['discountType'];
  @Decimal({ above: 0, description: DISCOUNT_VALUE, hint: 'Percent or major units.' }) discountValue: number;
  @DateTime({ optional: true, nullable: true, description: EXPIRES_AT, hint: 'null: never.' })
  expiresAt?: string | null;
  @Integer({ above: 0, optional: true, nullable: true, description: MAX_USES, hint: 'null: no limit.' })
  maxUses?: number | null;
  @Flag({ optional: true, default: true, description: `${IS_ACTIVE} The default is true.` })
  isActive?: boolean;
}

@AtLeastOneBesidesId()
@Example({ discountValue: 15, expiresAt: '2026-06-01T00:00:00Z' })
export class UpdatePromocodeInput extends UpdateOf(CreatePromocodeInput) {
  @Flag({ optional: true, description: IS_ACTIVE }) isActive?: boolean;
}

@Example({ active: false })
export class TogglePromocodeInput extends IdInput {
  @Flag({ description: 'The new value of isActive.' }) active: boolean;
}

@Example({ code: 'SPRING10', discountValue: 10, maxUses: 100, usedCount: 12 })
export class PromocodeRecord {
  @Identifier() id: string;
  @Text({ description: CODE }) code: string;
  @OneOf(DISCOUNT_TYPES) discountType: Discount['discountType'];
  @Decimal({ description: DISCOUNT_VALUE }) discountValue: number;
  @DateTime({ nullable: true, description: EXPIRES_AT }) expiresAt: string | null;
  @Integer({ nullable: true, description: MAX_USES }) maxUses: number | null;
  @Integer({ min: 0, description: 'The number of placed orders that have used the code.' }) usedCount: number;
  @Flag({ description: IS_ACTIVE }) isActive: boolean;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}

export class SavedPromocode extends PromocodeRecord {
  @Warnings() warnings?: string[];
}

export class CreatePromocodesInput {
  @NestedList(() => CreatePromocodeInput, { min: 1, max: 100, separate: true })
  items: (CreatePromocodeInput | InvalidItem)[];
}

@Example({ code: 'SPRING10' })
export class CreatedPromocodeItem extends ItemResult {
  @Identifier({ optional: true }) id?: string;
  @Text({ optional: true }) code?: string;
  @Warnings() warnings?: string[];
}

export class CreatePromocodesResult extends BulkResult {
  @NestedList(() => CreatedPromocodeItem) items: CreatedPromocodeItem[];
}
