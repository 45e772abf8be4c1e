import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { DeleteInput, Deleted, IdInput } from '../../platform/schema/pages/page.dto.js';
import { aboutRecord } from '../record-labels.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  ContestRecord,
  CreateContestInput,
  ListContestsInput,
  SavedContest,
  UpdateContestInput,
} from './contests.dto.js';
import { CONTEST, ContestsService } from './contests.service.js';

@Controller('v1')
export class ContestsController {
  constructor(private readonly contests: ContestsService) {}

  @Operation({
    name: 'list_contests',
    scope: 'read',
    summary: 'List contests',
    description: 'List contests, newest first, of all or one status.',
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
    description: 'Get a contest, without participants and winners.',
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
    description: 'Create a contest: no shopper is told of it, and no winner drawn.',
    input: CreateContestInput,
    output: SavedContest,
    additive: true,
  })
  create(ctx: StoreContext, input: CreateContestInput) {
    return this.contests.create(ctx, input);
  }

  @Operation({
    name: 'update_contest',
    scope: 'write',
    summary: 'Change a contest',
    description: 'Change the given fields of a contest. Null clears a field.',
    input: UpdateContestInput,
    output: SavedContest,
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
    description: 'Permanently delete a contest and its participants. To keep it, set it to ENDED.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    asks: aboutRecord('Delete', CONTEST),
    idempotent: true,
    ifMatch: true,
  })
  delete(ctx: StoreContext, input: DeleteInput) {
    return this.contests.delete(ctx, input.id);
  }
}
