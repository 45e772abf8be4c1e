import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { changedFields, deletion } from '../../platform/store/audit.js';
import type { Page } from '../../platform/schema/page.js';
import { explainConstraints, notFound } from '../../platform/errors.js';
import { nextVersion } from '../../platform/store/version.js';
import type { Deleted } from '../../platform/schema/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Contest } from './contest.entity.js';
import { ContestRecord, type CreateContestInput, type ListContestsInput, type UpdateContestInput } from './contests.dto.js';

// The order of the dates is the row's own constraint, so it holds for what an update results in, whichever dates it gives.
explainConstraints({
  contests_slug_key: 'slug is already used by another contest of this store',
  contests_dates: 'startDate must be before endDate',
});

@Injectable()
export class ContestsService {
  list(ctx: StoreContext, { status, ...page }: ListContestsInput): Promise<Page<Contest>> {
    return ctx.rows(Contest).page(page, (query) => {
      if (status !== undefined) query.andWhere('r.status = :status', { status });
    });
  }

  async get(ctx: StoreContext, id: string, options: { lock?: boolean } = {}): Promise<Contest> {
    const contest = await ctx.rows(Contest).findById(id, options);
    if (!contest) throw notFound('Contest', id);
    return contest;
  }

  async create(ctx: StoreContext, input: CreateContestInput): Promise<Contest> {
    const now = ctx.now();
    const contest = await ctx.rows(Contest).insert({
      id: uuidv7(),
      title: input.title,
      slug: input.slug,
      startDate: new Date(input.startDate),
      endDate: new Date(input.endDate),
      description: input.description ?? null,
      buttonText: input.buttonText ?? null,
      maxParticipants: input.maxParticipants ?? null,
      prizeDescription: input.prizeDescription ?? null,
      promoCode: input.promoCode ?? null,
      rules: input.rules ?? null,
      bonusReward: input.bonusReward ?? null,
      status: input.status ?? 'DRAFT',
      createdAt: now,
      updatedAt: now,
    });
    ctx.audit.target = `contest:${contest.id}`;
    ctx.audit.changes = changedFields({}, input);
    return contest;
  }

  async update(ctx: StoreContext, { id, startDate, endDate, ...others }: UpdateContestInput): Promise<Contest> {
    const contest = await this.get(ctx, id, { lock: true });
    ctx.checkUnchanged(contest.updatedAt);
    const values: Partial<Contest> = {
      ...others,
      ...(startDate === undefined ? {} : { startDate: new Date(startDate) }),
      ...(endDate === undefined ? {} : { endDate: new Date(endDate) }),
    };
    const changes = changedFields(contest, values);
    if (Object.keys(changes).length > 0) {
      const changed = { ...values, updatedAt: nextVersion(ctx, contest.updatedAt) };
      await ctx.rows(Contest).update({ id: contest.id }, changed);
      Object.assign(contest, changed);
    }
    ctx.audit.target = `contest:${contest.id}`;
    ctx.audit.changes = changes;
    return contest;
  }

  /** The participants go with their contest, by their foreign key. */
  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    const contest = await this.get(ctx, id, { lock: true });
    ctx.checkUnchanged(contest.updatedAt);
    await ctx.rows(Contest).delete({ id: contest.id });
    ctx.audit.target = `contest:${contest.id}`;
    ctx.audit.changes = deletion(ContestRecord, contest);
    return { id: contest.id, deleted: true };
  }
}
