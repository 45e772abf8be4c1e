import { Example } from '../../../platform/schema/example.js';
import { DateTime, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';
import { FreeObject, NestedList } from '../../../platform/schema/list-fields.js';
import { ReadableChange } from '../activity.dto.js';

@Example({ text: 'item 0: price is 0: shoppers get it free', told: { problem: 'free', values: {} } })
class ShownWarning {
  @Text() text: string;
  @FreeObject({ optional: true, description: 'By which pages word it: its problem and values.' })
  told?: object;
}

@Example({
  ...{ operation: 'set_order_statuses', by: 'Claude', warnings: [] },
  question: 'Set the status of many orders: 184 records?',
})
export class ApprovalRecord {
  @Identifier() id: string;
  @Text() operation: string;
  @OneOf(['waiting', 'applied', 'declined']) state: string;
  @Text({ description: 'The app that asks.' }) by: string;
  @Text() question: string;
  @NestedList(() => ReadableChange) rows: ReadableChange[];
  @NestedList(() => ShownWarning, { description: 'What the change would be answered with.' })
  warnings: ShownWarning[];
  @DateTime({ description: 'Until when it can be decided.' }) expiresAt: Date;
}

@Example({ id: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07', state: 'applied' })
export class DecidedApproval {
  @Identifier() id: string;
  @OneOf(['applied', 'declined']) state: string;
}
