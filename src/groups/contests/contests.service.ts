import { Injectable } from '@nestjs/common';
import { explainConstraints } from '../../platform/errors.js';
import { momentOf } from '../../platform/schema/formats.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import type { Page } from '../../platform/schema/pages/page.js';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  readPage,
} from '../../platform/store/records.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Contest } from './contest.entity.js';
import { LIST_CONTESTS } from './contest.statements.js';
import {
  ContestRecord,
  type CreateContestInput,
  type ListContestsInput,
  type UpdateContestInput,
} from './contests.dto.js';

// A constraint of the row checks the order of the dates, so it also holds for an update that gives only one
// of them.
explainConstraints({
  contests_slug_key: 'slug is already used by another contest of this store',
  contests_dates: 'startDate must be before endDate',
});

export const CONTEST = {
  entity: Contest,
  name: 'Contest',
  output: ContestRecord,
  alsoNamedBy: 'slug' as const,
  isRestorable: true as const,
};

@Injectable()
export class ContestsService {
  list(
    ctx: StoreContext,
    { status, ...page }: ListContestsInput,
  ): Promise<Page<RowOf<typeof LIST_CONTESTS>>> {
    return readPage(ctx, LIST_CONTESTS, page, { status: status ?? null });
  }

  get(ctx: StoreContext, id: string): Promise<Contest> {
    return getRecord(ctx, CONTEST, id);
  }

  create(ctx: StoreContext, input: CreateContestInput): Promise<Contest> {
    const dates = { startDate: momentOf(input.startDate), endDate: momentOf(input.endDate) };
    return createRecord(ctx, CONTEST, input, { status: 'DRAFT', ...input, ...dates });
  }

  update(ctx: StoreContext, { id, startDate, endDate, ...others }: UpdateContestInput): Promise<Contest> {
    return changeRecord(ctx, CONTEST, id, {
      ...others,
      startDate: momentOf(startDate),
      endDate: momentOf(endDate),
    });
  }

  /** A foreign key deletes the participants with their contest. */
  delete(ctx: StoreContext, id: string): Promise<Deleted> {
    return deleteRecord(ctx, CONTEST, id);
  }
}
