import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { changedFields, deletion } from '../../platform/store/audit.js';
import type { Page, PageRequest } from '../../platform/schema/page.js';
import type { Deleted } from '../../platform/schema/page.dto.js';
import { requireExactAmount } from '../../platform/schema/exact-amount.js';
import { explainConstraints, invalidInput, notFound } from '../../platform/errors.js';
import { present } from '../../platform/schema/present.js';
import { nextVersion } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import type { Discount } from './discount.js';
import { caseFold } from '../../platform/case-folding.js';
import { Promocode } from './promocode.entity.js';
import {
  type CreatePromocodeInput,
  PromocodeRecord,
  type TogglePromocodeInput,
  type UpdatePromocodeInput,
} from './promocodes.dto.js';

explainConstraints({ promocodes_code_key: 'code is already used by another promocode of this store' });

@Injectable()
export class PromocodesService {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<Promocode>> {
    return ctx.rows(Promocode).page(page);
  }

  async create(ctx: StoreContext, input: CreatePromocodeInput): Promise<Promocode> {
    requireDiscount(ctx, input.discountType, input.discountValue);
    const now = ctx.now();
    const promocode = await ctx.rows(Promocode).insert({
      id: uuidv7(),
      code: input.code,
      codeKey: caseFold(input.code),
      discountType: input.discountType,
      discountValue: String(input.discountValue),
      expiresAt: input.expiresAt ? new Date(input.expiresAt) : null,
      maxUses: input.maxUses ? String(input.maxUses) : null,
      usedCount: '0',
      isActive: input.isActive ?? true,
      createdAt: now,
      updatedAt: now,
    });
    ctx.audit.target = `promocode:${promocode.id}`;
    ctx.audit.changes = changedFields({}, input);
    return warned(ctx, promocode, true);
  }

  update(ctx: StoreContext, { id, ...fields }: UpdatePromocodeInput): Promise<Promocode> {
    return this.change(ctx, id, fields);
  }

  toggle(ctx: StoreContext, { id, active }: TogglePromocodeInput): Promise<Promocode> {
    ctx.audit.action = active ? 'promocode.enable' : 'promocode.disable';
    return this.change(ctx, id, { isActive: active });
  }

  async delete(ctx: StoreContext, id: string): Promise<Deleted> {
    const promocode = await ctx.rows(Promocode).findById(id, { lock: true });
    if (!promocode) throw notFound('Promocode', id);
    ctx.checkUnchanged(promocode.updatedAt);
    await ctx.rows(Promocode).delete({ id: promocode.id });
    ctx.audit.target = `promocode:${promocode.id}`;
    ctx.audit.changes = deletion(PromocodeRecord, promocode);
    return { id: promocode.id, deleted: true };
  }

  private async change(ctx: StoreContext, id: string, fields: Omit<UpdatePromocodeInput, 'id'>): Promise<Promocode> {
    const promocode = await ctx.rows(Promocode).findById(id, { lock: true });
    if (!promocode) throw notFound('Promocode', id);
    ctx.checkUnchanged(promocode.updatedAt);
    const { discountType = promocode.discountType, discountValue = Number(promocode.discountValue) } = fields;
    // Only a change of either can make a pair that was fine wrong.
    if (fields.discountType !== undefined || fields.discountValue !== undefined) {
      requireDiscount(ctx, discountType, discountValue);
    }
    const values = given(fields);
    const changes = changedFields(present(PromocodeRecord, promocode), present(PromocodeRecord, { ...promocode, ...values }));
    if (Object.keys(changes).length > 0) {
      const changed = { ...values, updatedAt: nextVersion(ctx, promocode.updatedAt) };
      await ctx.rows(Promocode).update({ id: promocode.id }, changed);
      Object.assign(promocode, changed);
    }
    ctx.audit.target = `promocode:${promocode.id}`;
    ctx.audit.changes = changes;
    return warned(ctx, promocode, fields.expiresAt !== undefined || fields.isActive === true);
  }
}

/** @param asked whether the call set the expiry or switched the code on */
function warned(ctx: StoreContext, promocode: Promocode, asked: boolean): Promocode & { warnings?: string[] } {
  const isExpired = promocode.expiresAt !== null && promocode.expiresAt <= ctx.now();
  return withWarnings(promocode, asked && isExpired ? ['expiresAt has passed: nobody can use the code'] : []);
}

function requireDiscount(ctx: StoreContext, discountType: Discount['discountType'], discountValue: number): void {
  if (discountType === 'FIXED_AMOUNT') requireExactAmount('discountValue', discountValue, ctx.currency);
  else if (discountValue > 100) throw invalidInput('discountValue must be at most 100 for a PERCENTAGE discount');
}

/** The given fields in the form their columns have. */
function given({ discountValue, expiresAt, maxUses, ...others }: Omit<UpdatePromocodeInput, 'id'>): Partial<Promocode> {
  return {
    ...others,
    ...(others.code === undefined ? {} : { codeKey: caseFold(others.code) }),
    ...(discountValue === undefined ? {} : { discountValue: String(discountValue) }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(maxUses === undefined ? {} : { maxUses: maxUses === null ? null : String(maxUses) }),
  };
}
