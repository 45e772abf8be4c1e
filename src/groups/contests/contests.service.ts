import { Injectable } from '@nestjs/common';
import { explainConstraints } from '../../platform/errors.js';
import { sentence, used } from '../../platform/problems.js';
import { momentOf } from '../../platform/schema/formats.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import type { Page } from '../../platform/schema/pages/page.js';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  readPage,
  newestOf,
} from '../../platform/store/records.js';
import { type RowOf, statement } from '../../platform/database/statement.js';
import { type Sentence, warning } from '../../platform/problems.js';
import { clearedWarning, withWarnings } from '../../platform/schema/warnings.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Contest } from './contest.entity.js';
import {
  ContestRecord,
  type CreateContestInput,
  type ListContestsInput,
  type UpdateContestInput,
} from './contests.dto.js';

const LIST_CONTESTS = statement(
  'list_contests',
  newestOf('contests', Contest, 'and ($status?::text is null or r.status = $status?)'),
);

// A constraint of the row checks the order of the dates, so it also holds for an update that gives only one
// of them.
explainConstraints({
  contests_slug_key: used('slug', 'contest of this store'),
  contests_dates: sentence('startDate must be before endDate', 'start_first'),
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

  async create(ctx: StoreContext, input: CreateContestInput) {
    const dates = { startDate: momentOf(input.startDate), endDate: momentOf(input.endDate) };
    const contest = await createRecord(ctx, CONTEST, input, { status: 'DRAFT', ...input, ...dates });
    return withWarnings(contest, overWarning(ctx, contest));
  }

  async update(ctx: StoreContext, { id, startDate, endDate, ...others }: UpdateContestInput) {
    const contest = await changeRecord(ctx, CONTEST, id, {
      ...others,
      startDate: momentOf(startDate),
      endDate: momentOf(endDate),
    });
    return withWarnings(contest, [
      ...(endDate === undefined && others.status === undefined ? [] : overWarning(ctx, contest)),
      ...clearedWarning(ctx.audit.changes!),
    ]);
  }

  /** A foreign key deletes the participants with their contest. */
  delete(ctx: StoreContext, id: string): Promise<Deleted> {
    return deleteRecord(ctx, CONTEST, id);
  }
}

/** Warns of a contest that is over, and that nobody has ended. */
function overWarning(ctx: StoreContext, { status, endDate }: Contest): Sentence[] {
  const isOpen = status === 'DRAFT' || status === 'ACTIVE';
  if (!isOpen || endDate > ctx.now()) return [];
  return [warning('endDate has passed: the contest is over', 'contest_over')];
}
