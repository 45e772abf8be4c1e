import { Example } from '../../platform/schema/example.js';
import { DateTime, Flag, Identifier, Integer, Text } from '../../platform/schema/fields.js';
import { FreeObject, NestedList } from '../../platform/schema/list-fields.js';
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
    hint: '',
  })
  operation?: string;
  @Flag({
    optional: true,
    description: 'List only what this token or app did. Below scope admin nothing else is listed.',
    hint: 'Only your own.',
  })
  mine?: boolean;
}

/** Parsing and checking more at a stretch would hold up other calls. */
const MAX_PREVIEWED_BYTES = 256 * 1024;

@Example({ operation: 'update_brand', input: { id: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07', name: 'Nord' } })
export class PreviewChangeInput {
  @Text({
    min: 1,
    max: 100,
    description: 'The name of an operation that changes something.',
    hint: "A tool's name.",
  })
  operation: string;
  @FreeObject({
    maxBytes: MAX_PREVIEWED_BYTES,
    description: 'The input of that operation.',
  })
  input: object;
}

@Example({
  operation: 'update_brand',
  target: 'brand:12',
  label: 'Nordwind',
  changes: { name: ['Nordwind', 'Nord'] },
})
class ChangeOfRecord {
  @Text() operation: string;
  @Text({ nullable: true, description: 'A more exact name of what is done, for example promocode.enable.' })
  action: string | null;
  @Text({ description: 'The record that is changed, as kind:id. The id of a new one will be another.' })
  target: string;
  @Text({ nullable: true, typedByShopper: true, description: 'What people know the record by.' })
  label: string | null;
  @FreeObject({ typedByShopper: true, description: 'The changed fields, each as [before, after].' })
  changes: object;
}

@Example({
  operation: 'delete_brand',
  target: 'brand:12',
  changes: { name: ['Nord', null] },
  unlinked: { products: 7 },
})
export class PreviewedChange extends ChangeOfRecord {
  @FreeObject({
    optional: true,
    description: 'Of a deletion: how many other records lose their link to what is deleted, by kind.',
  })
  unlinked?: object;
}

@Example({ record: 'Logo T-shirt, Size S', field: 'sale price', before: '19.90 USD', after: '18.00 USD' })
export class ReadableChange {
  @Text({ typedByShopper: true, description: 'What people know the record by.' }) record: string;
  @Text({ typedByShopper: true }) field: string;
  @Text({ typedByShopper: true }) before: string;
  @Text({ typedByShopper: true }) after: string;
}

@Example({ operation: 'update_brand', answer: { name: 'Nord' } })
export class PreviewRecord {
  @Identifier({ description: 'What apply_change takes.' }) previewId: string;
  @Text() operation: string;
  @DateTime({ description: 'Until when it can be applied.' }) expiresAt: Date;
  @FreeObject({
    typedByShopper: true,
    description:
      'What the operation would answer. Ids and times of new records will be others, and a message is ' +
      'never sent.',
  })
  answer: object;
  @NestedList(() => PreviewedChange, { description: 'What the audit log would have, and what is unlinked.' })
  changes: PreviewedChange[];
  @Integer({
    min: 1,
    optional: true,
    description: 'How many records the call is for, if they are more than 20: the first 20 were tried.',
  })
  counted?: number;
  @NestedList(() => ReadableChange, { description: 'The same in words, for the person who decides.' })
  rows: ReadableChange[];
}

@Example({})
export class ApplyChangeInput {
  @Identifier({ isOwnId: true, description: 'The previewId of preview_change.' }) previewId: string;
}

@Example({})
export class UndoChangeInput {
  @Identifier({ isOwnId: true, description: 'The id of the change in list_activity.' }) activityId: string;
}

@Example({ operation: 'update_brand', target: 'brand:12', changes: { name: ['Nord', 'Nordwind'] } })
export class UndoingChange extends ChangeOfRecord {
  @Identifier({ description: 'Its id in list_activity.' }) id: string;
}

@Example({ undone: 'update_brand' })
export class UndoneRecord {
  @Identifier() activityId: string;
  @Text({ description: 'The operation whose change was undone.' }) undone: string;
  @NestedList(() => UndoingChange, { description: 'The changes that put it back.' }) changes: UndoingChange[];
}
