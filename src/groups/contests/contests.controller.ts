import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import { DeleteInput, Deleted, IdInput } from '../../platform/schema/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { ContestRecord, CreateContestInput, ListContestsInput, UpdateContestInput } from './contests.dto.js';
import { ContestsService } from './contests.service.js';

@Controller('v1')
export class ContestsController {
  constructor(private readonly contests: ContestsService) {}

  @Operation({
    name: 'list_contests',
    scope: 'read',
    summary: 'List contests',
    description: 'List contests, newest first, optionally of one status. Returns a page of contests and nextCursor.',
    input: ListContestsInput,
    output: ContestRecord,
    list: true,
  })
  list(ctx: StoreContext, input: ListContestsInput) {
    return this.contests.list(ctx, input);
  }

  @Operation({
    name: 'get_contest',
    scope: 'read',
    summary: 'Get a contest',
    description: 'Get one contest by its id: title, dates, status, prize, rules, limits. Participants and winners are not shown.',
    input: IdInput,
    output: ContestRecord,
  })
  get(ctx: StoreContext, input: IdInput) {
    return this.contests.get(ctx, input.id);
  }

  @Operation({
    name: 'create_contest',
    scope: 'write',
    summary: 'Create a contest',
    description: 'Create a contest, DRAFT unless status says otherwise; startDate before endDate. Returns the contest.',
    input: CreateContestInput,
    output: ContestRecord,
  })
  create(ctx: StoreContext, input: CreateContestInput) {
    return this.contests.create(ctx, input);
  }

  @Operation({
    name: 'update_contest',
    scope: 'write',
    summary: 'Change a contest',
    description:
      'Change the given fields of a contest, its status too; null empties one that may be empty. Returns the whole contest.',
    input: UpdateContestInput,
    output: ContestRecord,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateContestInput) {
    return this.contests.update(ctx, input);
  }

  @Operation({
    name: 'delete_contest',
    scope: 'admin',
    summary: 'Delete a contest for good',
    description:
      'Permanently delete a contest with its participants. To end it and keep it, update its status. Needs confirm: true.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    idempotent: true,
    ifMatch: true,
  })
  delete(ctx: StoreContext, input: DeleteInput) {
    return this.contests.delete(ctx, input.id);
  }
}
