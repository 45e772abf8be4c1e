import { Example } from '../../platform/schema/example.js';
import { DateTime, Flag, Integer, IntegerList } from '../../platform/schema/fields.js';
import { Warnings } from '../../platform/schema/warnings.js';

const MAX_TIP = 2_000_000_000;

@Example({ needPhoneNumber: true, maxTipAmount: 1000, suggestedTipAmounts: [100, 300, 500] })
export class UpdateInvoiceFieldConfigInput {
  @Flag({ optional: true }) needName?: boolean;
  @Flag({ optional: true }) needPhoneNumber?: boolean;
  @Flag({ optional: true }) needEmail?: boolean;
  @Flag({ optional: true }) needShippingAddress?: boolean;
  @Flag({ optional: true, description: 'The final price depends on the shipping method.' }) isFlexible?: boolean;
  @Integer({ min: 1, max: MAX_TIP, optional: true, nullable: true, description: 'Minor units; null takes no tips.' })
  maxTipAmount?: number | null;
  @IntegerList({ itemMin: 1, itemMax: MAX_TIP, optional: true, description: 'Minor units; the messenger shows 4 at most.' })
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
  @Integer({ min: 1, max: MAX_TIP, nullable: true }) maxTipAmount: number | null;
  @IntegerList({ itemMin: 1, itemMax: MAX_TIP }) suggestedTipAmounts: number[];
  @DateTime({ nullable: true, description: 'Null while nothing was stored.' }) updatedAt: Date | null;
}

export class UpdatedInvoiceFieldConfig extends InvoiceFieldConfigRecord {
  @Warnings() warnings?: string[];
}
