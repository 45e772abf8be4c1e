import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../platform/schema/pages/page.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import { requireExactAmount } from '../../platform/schema/exact-amount.js';
import { explainConstraints } from '../../platform/errors.js';
import { momentOf } from '../../platform/schema/formats.js';
import { changeRecord, createRecord, deleteRecord, readPage } from '../../platform/store/records.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import type { Discount } from './discount.js';
import { caseFold } from '../../platform/text/case-folding.js';
import { Promocode } from './promocode.entity.js';
import { FIND_PROMOCODES, LIST_PROMOCODES } from './promocode.statements.js';
import {
  type CreatePromocodeInput,
  PromocodeRecord,
  type TogglePromocodeInput,
  type UpdatePromocodeInput,
} from './promocodes.dto.js';

explainConstraints({ promocodes_code_key: 'code is already used by another promocode of this store' });

export const PROMOCODE = {
  entity: Promocode,
  name: 'Promocode',
  output: PromocodeRecord,
  alsoNamedBy: 'code' as const,
  isRestorable: true as const,
};

@Injectable()
export class PromocodesService {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<RowOf<typeof LIST_PROMOCODES>>> {
    return readPage(ctx, LIST_PROMOCODES, page);
  }

  /** The promocodes whose code begins with the text in any case, in the order of their codes. */
  startingWith(ctx: StoreContext, text: string, take: number): Promise<RowOf<typeof FIND_PROMOCODES>[]> {
    const first = caseFold(text);
    return ctx.session.read(FIND_PROMOCODES, { first, end: `${first}\u{10ffff}`, take });
  }

  async create(ctx: StoreContext, input: CreatePromocodeInput): Promise<Promocode> {
    const { code, discountType, isActive = true } = input;
    requireDiscount(ctx, discountType, input.discountValue);
    const discountValue = String(input.discountValue);
    const values = {
      ...stored(input),
      code,
      codeKey: caseFold(code),
      discountType,
      discountValue,
      isActive,
      usedCount: '0',
    };
    return warned(ctx, await createRecord(ctx, PROMOCODE, input, values), true);
  }

  update(ctx: StoreContext, { id, ...fields }: UpdatePromocodeInput): Promise<Promocode> {
    return this.change(ctx, id, fields);
  }

  toggle(ctx: StoreContext, { id, active }: TogglePromocodeInput): Promise<Promocode> {
    ctx.audit.action = active ? 'promocode.enable' : 'promocode.disable';
    return this.change(ctx, id, { isActive: active });
  }

  delete(ctx: StoreContext, id: string): Promise<Deleted> {
    return deleteRecord(ctx, PROMOCODE, id);
  }

  private async change(
    ctx: StoreContext,
    id: string,
    fields: Omit<UpdatePromocodeInput, 'id'>,
  ): Promise<Promocode> {
    const promocode = await changeRecord(ctx, PROMOCODE, id, (before) => {
      const { discountType = before.discountType, discountValue = Number(before.discountValue) } = fields;
      // Only a change of one of these can make a valid pair invalid.
      if (fields.discountType !== undefined || fields.discountValue !== undefined) {
        requireDiscount(ctx, discountType, discountValue);
      }
      return stored(fields);
    });
    return warned(ctx, promocode, fields.expiresAt !== undefined || fields.isActive === true);
  }
}

/** @param mayWarn whether the call set the expiry or made the code active */
function warned(
  ctx: StoreContext,
  promocode: Promocode,
  mayWarn: boolean,
): Promocode & { warnings?: string[] } {
  const isExpired = promocode.expiresAt !== null && promocode.expiresAt <= ctx.now();
  const { discountType, discountValue, maxUses, expiresAt, isActive } = promocode;
  const isFree = discountType === 'PERCENTAGE' && Number(discountValue) >= 100;
  const isEndless = isActive && maxUses === null && expiresAt === null;
  return withWarnings(promocode, [
    ...(mayWarn && isExpired ? ['expiresAt has passed: nobody can use the code'] : []),
    ...(isFree && isEndless
      ? ['the code takes 100 % off and has neither maxUses nor expiresAt: anybody may use it without end']
      : []),
  ]);
}

function requireDiscount(
  ctx: StoreContext,
  discountType: Discount['discountType'],
  discountValue: number,
): void {
  if (discountType === 'FIXED_AMOUNT') requireExactAmount('discountValue', discountValue, ctx.currency);
}

/** The given fields as their columns store them; undefined if they are not given. */
function stored({
  discountValue,
  expiresAt,
  maxUses,
  ...others
}: Omit<UpdatePromocodeInput, 'id'>): Partial<Promocode> {
  return {
    ...others,
    codeKey: others.code && caseFold(others.code),
    discountValue: discountValue === undefined ? undefined : String(discountValue),
    expiresAt: momentOf(expiresAt),
    maxUses: typeof maxUses === 'number' ? String(maxUses) : maxUses,
  };
}
