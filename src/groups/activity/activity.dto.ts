import { Example } from '../../platform/schema/example.js';
import { Flag, Text } from '../../platform/schema/fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';

@Example({ operation: 'update_product', mine: true })
export class ListActivityInput extends PageInput {
  @Text({
    min: 1,
    max: 100,
    optional: true,
    description: 'List only what was done to this record, for example order:12.',
    hint: 'For example order:12.',
  })
  target?: string;
  @Text({
    min: 1,
    max: 100,
    optional: true,
    description: 'List only calls of this operation, for example ship_order.',
    hint: 'Of this name.',
  })
  operation?: string;
  @Flag({
    optional: true,
    description: 'List only what this token or app did. Below scope admin nothing else is listed.',
    hint: 'Only your own.',
  })
  mine?: boolean;
}
