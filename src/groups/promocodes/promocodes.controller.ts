import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { DeleteInput, Deleted, PageInput } from '../../platform/schema/pages/page.dto.js';
import { aboutRecord } from '../record-labels.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  CreatePromocodeInput,
  CreatePromocodesInput,
  CreatePromocodesResult,
  PromocodeRecord,
  SavedPromocode,
  TogglePromocodeInput,
  UpdatePromocodeInput,
} from './promocodes.dto.js';
import { PROMOCODE, PromocodesService } from './promocodes.service.js';

@Controller('v1')
export class PromocodesController {
  constructor(private readonly promocodes: PromocodesService) {}

  @Operation({
    name: 'list_promocodes',
    scope: 'read',
    summary: 'List promocodes',
    description: 'List promocodes, newest first, also expired ones, with their use counts.',
    input: PageInput,
    output: PromocodeRecord,
    list: true,
  })
  list(ctx: StoreContext, input: PageInput) {
    return this.promocodes.list(ctx, input);
  }

  @Operation({
    name: 'create_promocode',
    scope: 'write',
    summary: 'Create a promocode',
    description: 'Create a code that takes a percentage or a fixed amount off an order.',
    input: CreatePromocodeInput,
    output: SavedPromocode,
    additive: true,
  })
  create(ctx: StoreContext, input: CreatePromocodeInput) {
    return this.promocodes.create(ctx, input);
  }

  @Operation({
    name: 'create_promocodes',
    scope: 'write',
    summary: 'Create many promocodes at once',
    description: 'Create up to 100 promocodes. Items fail one by one.',
    input: CreatePromocodesInput,
    output: CreatePromocodesResult,
    additive: true,
    beyond: true,
  })
  createMany(ctx: StoreContext, input: CreatePromocodesInput) {
    return this.promocodes.createMany(ctx, input);
  }

  @Operation({
    name: 'update_promocode',
    scope: 'write',
    summary: 'Update a promocode',
    description: 'Change the given fields of a promocode. Null removes the expiry or the limit.',
    input: UpdatePromocodeInput,
    output: SavedPromocode,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdatePromocodeInput) {
    return this.promocodes.update(ctx, input);
  }

  @Operation({
    name: 'toggle_promocode',
    scope: 'write',
    summary: 'Enable or disable a promocode',
    description: 'Enable (active: true) or disable (active: false) a promocode.',
    input: TogglePromocodeInput,
    output: SavedPromocode,
    idempotent: true,
    ifMatch: true,
  })
  toggle(ctx: StoreContext, input: TogglePromocodeInput) {
    return this.promocodes.toggle(ctx, input);
  }

  @Operation({
    name: 'delete_promocode',
    scope: 'admin',
    summary: 'Delete a promocode for good',
    description:
      'Permanently delete a promocode. To only stop it, use toggle_promocode. Orders that used it stay.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    ifMatch: true,
    asks: aboutRecord('Delete', PROMOCODE),
  })
  delete(ctx: StoreContext, input: DeleteInput) {
    return this.promocodes.delete(ctx, input.id);
  }
}
