import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';
import { IdInput } from '../../../platform/schema/pages/page.dto.js';
import { VIEWED, type Viewed } from './viewed.js';

const PAGES = Object.keys(VIEWED) as Viewed[];

const Name = (optional = false) =>
  Text({
    ...{ min: 1, max: 60, optional },
    pattern: /^\S(.*\S)?$/,
    patternMeaning: 'one line without a space at its ends',
    description: 'Unique among the views of the page, without regard to case.',
  });
const Query = (optional = false) =>
  Text({
    ...{ min: 1, max: 2_000, optional },
    description: "The filters of the page's address, without the question mark: status=PENDING&text=mug.",
  });

@Example({ page: 'orders' })
export class ListViewsInput {
  @OneOf(PAGES) page: Viewed;
}

@Example({ page: 'orders', name: 'To pack', query: 'status=PROCESSING&sort=oldest' })
export class SaveViewInput {
  @OneOf(PAGES) page: Viewed;
  @Name() name: string;
  @Query() query: string;
}

@Example({ name: 'To pack today' })
export class ChangeViewInput extends IdInput {
  @Name(true) name?: string;
  @Query(true) query?: string;
}

@Example({ page: 'orders', name: 'To pack', query: 'sort=oldest&status=PROCESSING' })
export class SavedViewRecord {
  @Identifier() id: string;
  @OneOf(PAGES) page: string;
  @Text() name: string;
  @Text({ limit: 2_000, description: 'The filters, in the order of their names.' }) query: string;
  @Flag({ description: 'Whether you may delete it: it is yours, or you are an owner.' }) mayDelete: boolean;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
}

/** What the audit log shows of a view. */
export class StoredView {
  @Text() page: string;
  @Text() name: string;
  @Text({ limit: 2_000 }) query: string;
}
