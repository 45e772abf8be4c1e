import { Example } from '../../platform/schema/example.js';
import { Flag, Integer, StoredAt } from '../../platform/schema/fields.js';
import { IntegerList } from '../../platform/schema/list-fields.js';
import { Warnings } from '../../platform/schema/warnings.js';

const MAX_TIP = 2_000_000_000;

@Example({ needPhoneNumber: true, maxTipAmount: 1000, suggestedTipAmounts: [100, 300, 500] })
export class UpdateInvoiceFieldConfigInput {
  @Flag({ optional: true }) needName?: boolean;
  @Flag({ optional: true }) needPhoneNumber?: boolean;
  @Flag({ optional: true }) needEmail?: boolean;
  @Flag({ optional: true }) needShippingAddress?: boolean;
  @Flag({
    optional: true,
    description: 'Whether the final price depends on the shipping method.',
    hint: 'Price by delivery.',
  })
  isFlexible?: boolean;
  @Integer({
    minorUnits: true,
    min: 1,
    max: MAX_TIP,
    optional: true,
    nullable: true,
    description:
      "The largest tip, in minor units of the store's currency. Null means that tips are not accepted.",
    hint: 'Minor units.',
  })
  maxTipAmount?: number | null;
  @IntegerList({
    minorUnits: true,
    itemMin: 1,
    itemMax: MAX_TIP,
    optional: true,
    description: "The suggested tips, in minor units of the store's currency. The messenger shows at most 4.",
    hint: 'Minor units.',
  })
  suggestedTipAmounts?: number[];
}

@Example({
  needName: false,
  needEmail: false,
  needShippingAddress: false,
  isFlexible: false,
  maxTipAmount: 1000,
  suggestedTipAmounts: [100, 300, 500],
})
export class InvoiceFieldConfigRecord {
  @Flag() needName: boolean;
  @Flag() needPhoneNumber: boolean;
  @Flag() needEmail: boolean;
  @Flag() needShippingAddress: boolean;
  @Flag() isFlexible: boolean;
  @Integer({
    min: 1,
    max: MAX_TIP,
    nullable: true,
    minorUnits: true,
    description: "The largest tip, in minor units of the store's currency; null if tips are not accepted.",
  })
  maxTipAmount: number | null;
  @IntegerList({
    itemMin: 1,
    itemMax: MAX_TIP,
    minorUnits: true,
    description: "The suggested tips, in minor units of the store's currency.",
  })
  suggestedTipAmounts: number[];
  @StoredAt() updatedAt: Date | null;
}

export class UpdatedInvoiceFieldConfig extends InvoiceFieldConfigRecord {
  @Warnings() warnings?: string[];
}
