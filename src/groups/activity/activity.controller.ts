import { Controller } from '@nestjs/common';
import { ANSWERS, firstUse, usedKey } from '../../platform/call/idempotency.js';
import { Operation } from '../../platform/call/endpoint.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { AnyObject } from '../../platform/schema/field-spec.js';
import { Previews } from '../../platform/call/previews/previews.service.js';
import {
  ApplyChangeInput,
  ListActivityInput,
  PreviewChangeInput,
  PreviewRecord,
  UndoChangeInput,
  UndoneRecord,
} from './activity.dto.js';
import { ActivityService } from './activity.service.js';
import { AuditRecord } from './audit.dto.js';
import { UndoService } from './undo.service.js';

@Controller('v1')
export class ActivityController {
  constructor(
    private readonly activity: ActivityService,
    private readonly previews: Previews,
    private readonly undoing: UndoService,
  ) {}

  @Operation({
    name: 'list_activity',
    scope: 'read',
    summary: 'List what was done',
    description:
      'List changes and refused changes, newest first, each with what it changed as [before, after]. Below ' +
      'scope admin only your own.',
    input: ListActivityInput,
    output: AuditRecord,
    list: true,
    beyond: true,
  })
  list(ctx: StoreContext, input: ListActivityInput) {
    return this.activity.list(ctx, input);
  }

  @Operation({
    name: 'preview_change',
    scope: 'write',
    summary: 'Preview a change',
    description:
      'Run a changing operation and take all back: returns what it would answer and change, before and ' +
      'after, and a previewId for apply_change. Sends nothing.',
    input: PreviewChangeInput,
    output: PreviewRecord,
    additive: true,
    relays: true,
    idempotencyKey: undefined,
    preview: 'none',
    beyond: true,
  })
  preview(ctx: StoreContext, input: PreviewChangeInput) {
    return this.activity.preview(ctx, input);
  }

  @Operation({
    name: 'apply_change',
    scope: 'write',
    summary: 'Apply a previewed change',
    description:
      'Make a previewed change, within 10 minutes; returns what its operation does. Refused (412) if it ' +
      'would now be another change. A repeat gets the first answer.',
    input: ApplyChangeInput,
    output: AnyObject,
    idempotent: true,
    mayBeOutdated: true,
    relays: true,
    idempotencyKey: 'own',
    openWorld: true,
    asks: 'as previewed',
    preview: 'none',
    beyond: true,
  })
  async apply(ctx: StoreContext, input: ApplyChangeInput) {
    // The preview's id keeps the answer for a repeat; the caller's own key is only refused for anything else.
    const used = usedKey(ctx, 'apply_change', ApplyChangeInput, input);
    if (used) await firstUse(ctx, used, ANSWERS);
    return this.previews.apply(ctx, input.previewId);
  }

  @Operation({
    name: 'undo_change',
    scope: 'write',
    summary: 'Undo a change',
    description:
      'Put back what a change of list_activity changed, if it still stands (else 412): updates, statuses, ' +
      'stock, prices, bonus, settings, bulk creations, deletions.',
    input: UndoChangeInput,
    output: UndoneRecord,
    mayBeOutdated: true,
    relays: true,
    asks: 'as undone',
    preview: 'none',
    beyond: true,
  })
  undo(ctx: StoreContext, { activityId }: UndoChangeInput) {
    return this.undoing.undo(ctx, activityId);
  }
}
