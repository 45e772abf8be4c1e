import { Example } from '../../platform/schema/example.js';
import { Decimal, Flag, Identifier, LongText, OneOf, StoredAt, Text } from '../../platform/schema/fields.js';
import { Nested, NestedList } from '../../platform/schema/list-fields.js';
import { Warnings } from '../../platform/schema/warnings.js';
import type { CheckoutCondition, CheckoutField } from './checkout-rules.js';
import type { CheckoutFieldType } from './checkout-value.js';

export const CHECKOUT_MODES = ['manual', 'native_payments', 'crypto'] as const;
export type CheckoutMode = (typeof CHECKOUT_MODES)[number];

const FIELD_TYPES: readonly CheckoutFieldType[] = [
  'text',
  'email',
  'phone',
  'select',
  'checkbox',
  'textarea',
  'date',
  'label',
  'warning',
  'info',
  'bonus_toggle',
  'promocode_input',
  'payment_button',
];

const OPERATORS = ['equals', 'not_equals', 'contains', 'not_contains', 'is_empty', 'is_not_empty'] as const;
const ACTIONS = ['show', 'hide', 'require', 'optional', 'increase_price', 'decrease_price'] as const;

// These classes are used for both input and output: an answer has exactly the properties that were given.

@Example({ value: 4.9 })
export class PriceAdjustmentRecord {
  @OneOf(['add', 'subtract']) operator: 'add' | 'subtract';
  @Decimal({
    majorUnits: true,
    description: "The amount by which the total changes, in major units of the store's currency.",
    hint: 'Major units.',
  })
  value: number;
}

@Example({ dependsOn: 'delivery', value: 'courier' })
export class CheckoutConditionRecord implements CheckoutCondition {
  @Identifier({
    description: 'The id of the field that the condition looks at.',
    hint: "Another field's id.",
  })
  dependsOn: string;
  @OneOf(OPERATORS) operator: (typeof OPERATORS)[number];
  @Text({ optional: true, description: 'What the field is compared with.', hint: '' })
  value?: string;
  @OneOf(ACTIONS) action: (typeof ACTIONS)[number];
  @Nested(() => PriceAdjustmentRecord, { optional: true }) priceAdjustment?: PriceAdjustmentRecord;
}

/** The free texts of a payment_button contain its provider's settings, including keys. */
export const holdsProviderSettings = (field: object) =>
  (field as CheckoutFieldRecord).type === 'payment_button';

@Example({ id: 'delivery', label: 'Delivery', type: 'select', options: 'pickup, courier' })
export class CheckoutFieldRecord implements CheckoutField {
  @Identifier() id: string;
  @Text() label: string;
  @OneOf(FIELD_TYPES) type: CheckoutFieldType;
  @Flag() required: boolean;
  @Flag() defaultVisible: boolean;
  @Text({ optional: true }) placeholder?: string;
  @LongText({
    optional: true,
    secret: holdsProviderSettings,
    description: 'The choices of a select field, one per line or separated by commas.',
    hint: 'By commas or lines.',
  })
  options?: string;
  @LongText({
    optional: true,
    secret: holdsProviderSettings,
    description: 'The text of a label, warning or info; of a payment_button its settings.',
    hint: 'Of label, warning, info.',
  })
  content?: string;
  @NestedList(() => CheckoutConditionRecord, { limit: 50, optional: true })
  conditions?: CheckoutConditionRecord[];
  @OneOf(['username', 'phone'], {
    optional: true,
    description: 'What the messenger knows of the shopper fills it in.',
    hint: 'Fills it in.',
  })
  messengerDataKey?: 'username' | 'phone';
}

@Example({ label: 'Category', order: 1 })
export class CheckoutFilterRecord {
  @OneOf(['category', 'brand', 'sub_category']) id: 'category' | 'brand' | 'sub_category';
  @Text() label: string;
  @Flag() enabled: boolean;
  @Decimal({ description: 'Lower is first.' }) order: number;
  @OneOf(['always', 'when_parent_has_value']) visibilityMode: 'always' | 'when_parent_has_value';
}

@Example({
  mode: 'manual',
  fields: [{ id: 'comment', label: 'Comment', type: 'text', required: false, defaultVisible: true }],
})
export class UpdateCheckoutInput {
  @OneOf(CHECKOUT_MODES, { optional: true }) mode?: CheckoutMode;
  @NestedList(() => CheckoutFieldRecord, {
    limit: 200,
    optional: true,
    description: 'The fields of the form. The array replaces all stored fields.',
    hint: '',
  })
  fields?: CheckoutFieldRecord[];
  @NestedList(() => CheckoutFilterRecord, {
    limit: 20,
    optional: true,
    description: 'The filters of the catalog. The array replaces all stored filters.',
    hint: '',
  })
  filters?: CheckoutFilterRecord[];
}

export class CheckoutRecord {
  @OneOf(CHECKOUT_MODES) mode: CheckoutMode;
  @NestedList(() => CheckoutFieldRecord) fields: CheckoutFieldRecord[];
  @NestedList(() => CheckoutFilterRecord) filters: CheckoutFilterRecord[];
  @StoredAt() updatedAt: Date | null;
}

export class UpdatedCheckout extends CheckoutRecord {
  @Warnings() warnings?: string[];
}
