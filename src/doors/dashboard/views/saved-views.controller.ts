import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { Deleted, IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import { ChangeViewInput, ListViewsInput, SavedViewRecord, SaveViewInput } from './saved-views.dto.js';
import { SavedViews } from './saved-views.service.js';

const PATH = 'stores/:storeId/views';
const GROUPS = ['orders', 'customers'] as const;

@Controller(API_PATH)
export class SavedViewsController {
  constructor(private readonly views: SavedViews) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: GROUPS,
    summary: 'List the saved views of a page, oldest first',
    input: ListViewsInput,
    output: SavedViewRecord,
    list: true,
  })
  async list(ctx: StoreContext, { page }: ListViewsInput) {
    return { items: await this.views.list(ctx, page), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: PATH,
    groups: GROUPS,
    summary: 'Save the filters of a page under a name, for all members',
    description: 'A page has at most 50 views.',
    input: SaveViewInput,
    output: SavedViewRecord,
    audited: 'view.save',
  })
  save(ctx: StoreContext, input: SaveViewInput) {
    return this.views.save(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: `${PATH}/:id`,
    groups: GROUPS,
    summary: 'Rename a saved view, or change its filters',
    input: ChangeViewInput,
    output: SavedViewRecord,
    audited: 'view.change',
    ifMatch: true,
  })
  change(ctx: StoreContext, input: ChangeViewInput) {
    return this.views.change(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: `${PATH}/:id`,
    groups: GROUPS,
    summary: 'Delete a saved view',
    description: 'For who saved it, and for owners.',
    input: IdInput,
    output: Deleted,
    audited: 'view.delete',
  })
  delete(ctx: StoreContext, { id }: IdInput) {
    return this.views.delete(ctx, id);
  }
}
