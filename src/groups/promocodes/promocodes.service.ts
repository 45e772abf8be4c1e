import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../platform/schema/pages/page.js';
import type { Deleted } from '../../platform/schema/pages/page.dto.js';
import { requireExactAmount } from '../../platform/schema/exact-amount.js';
import { explainConstraints, invalidInput } from '../../platform/errors.js';
import { below, used } from '../../platform/problems.js';
import { checkedItems, counted, eachItem, validItems } from '../../platform/schema/bulk-result.js';
import { momentOf } from '../../platform/schema/formats.js';
import { changeRecord, createRecord, deleteRecord, readPage } from '../../platform/store/records.js';
import { recordset } from '../../platform/database/columns.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { newId } from '../../platform/ids.js';
import { type Sentence, warning } from '../../platform/problems.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import type { Discount } from './discount.js';
import { codeKey } from '../../platform/text/keys.js';
import { Promocode } from './promocode.entity.js';
import { FIND_PROMOCODES, INSERT_PROMOCODES, LIST_PROMOCODES } from './promocode.statements.js';
import {
  type CreatedPromocodeItem,
  type CreatePromocodeInput,
  type CreatePromocodesInput,
  type CreatePromocodesResult,
  PromocodeRecord,
  type TogglePromocodeInput,
  type UpdatePromocodeInput,
} from './promocodes.dto.js';

const CODE_USED = used('code', 'promocode of this store');
explainConstraints({ promocodes_code_key: CODE_USED });

export const PROMOCODE = {
  entity: Promocode,
  name: 'Promocode',
  output: PromocodeRecord,
  alsoNamedBy: 'code' as const,
  comparedBy: { column: 'codeKey', keyOf: codeKey } as const,
  isRestorable: true as const,
};

/** What the service stores of a new promocode. */
type PromocodeValues = Omit<Promocode, 'id' | 'storeId' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class PromocodesService {
  list(ctx: StoreContext, page: PageRequest): Promise<Page<RowOf<typeof LIST_PROMOCODES>>> {
    return readPage(ctx, LIST_PROMOCODES, page);
  }

  /** The promocodes whose code begins with the text, as codes are compared, in the order of their codes. */
  startingWith(ctx: StoreContext, text: string, take: number): Promise<RowOf<typeof FIND_PROMOCODES>[]> {
    const first = codeKey(text);
    return ctx.session.read(FIND_PROMOCODES, { first, end: `${first}\u{10ffff}`, take });
  }

  async create(ctx: StoreContext, input: CreatePromocodeInput): Promise<Promocode> {
    requireDiscount(ctx, input.discountType, input.discountValue);
    return warned(ctx, await createRecord(ctx, PROMOCODE, input, newValues(input)), true);
  }

  /**
   * Creates many promocodes by one statement. A refused item leaves the others unaffected; of items with the
   * same code the first is created (docs/behaviour.md §13.8).
   */
  async createMany(
    ctx: StoreContext,
    { items: given }: CreatePromocodesInput,
  ): Promise<CreatePromocodesResult> {
    const items = await checkedItems(given, ({ discountType, discountValue }, index) =>
      requireDiscount(ctx, discountType, discountValue, `items[${index}].`),
    );
    const rows = new Map<CreatePromocodeInput, PromocodeValues & { id: string }>();
    const codes = new Set<string>();
    for (const item of validItems(items)) {
      const values = { id: newId(), ...newValues(item) };
      if (!codes.has(values.codeKey)) rows.set(item, values);
      codes.add(values.codeKey);
    }
    const created =
      rows.size === 0
        ? []
        : await ctx.session.query(INSERT_PROMOCODES, { rows: recordset([...rows.values()]), now: ctx.now() });
    const ids = new Set(created.map(({ id }) => id));
    const changes: NonNullable<typeof ctx.audit.changes> = {};
    const results = await eachItem<CreatePromocodeInput, CreatedPromocodeItem>(items, (item, index) => {
      const row = rows.get(item);
      if (!row || !ids.has(row.id)) throw invalidInput(below(`items[${index}].`, CODE_USED));
      changes[`promocode:${row.id}`] = [null, item];
      return withWarnings({ id: row.id, code: row.code }, warningsOf(ctx, row, true));
    });
    ctx.audit.changes = changes;
    return counted(results);
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

function warned(
  ctx: StoreContext,
  promocode: Promocode,
  mayWarn: boolean,
): Promocode & { warnings?: string[] } {
  return withWarnings(promocode, warningsOf(ctx, promocode, mayWarn));
}

/** @param mayWarn whether the call set the expiry or made the code active */
function warningsOf(
  ctx: StoreContext,
  { discountType, discountValue, maxUses, expiresAt, isActive }: PromocodeValues,
  mayWarn: boolean,
): Sentence[] {
  const isExpired = expiresAt !== null && expiresAt <= ctx.now();
  const isFree = discountType === 'PERCENTAGE' && Number(discountValue) >= 100;
  const isEndless = isActive && maxUses === null && expiresAt === null;
  return [
    ...(mayWarn && isExpired ? [warning('expiresAt has passed: nobody can use the code', 'expired')] : []),
    ...(isFree && isEndless
      ? [
          warning(
            'the code takes 100 % off and has neither maxUses nor expiresAt: anybody may use it without end',
            'endless',
          ),
        ]
      : []),
  ];
}

/** @param path the prefix of the name of the field */
function requireDiscount(
  ctx: StoreContext,
  discountType: Discount['discountType'],
  discountValue: number,
  path = '',
): void {
  if (discountType === 'FIXED_AMOUNT')
    requireExactAmount(`${path}discountValue`, discountValue, ctx.currency);
}

function newValues(input: CreatePromocodeInput): PromocodeValues {
  const { code, discountType, discountValue, expiresAt, maxUses, isActive } = input;
  return {
    ...{ code, codeKey: codeKey(code), discountType, discountValue: String(discountValue) },
    expiresAt: momentOf(expiresAt) ?? null,
    maxUses: typeof maxUses === 'number' ? String(maxUses) : null,
    isActive: isActive ?? true,
    usedCount: '0',
  };
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
    codeKey: others.code && codeKey(others.code),
    discountValue: discountValue === undefined ? undefined : String(discountValue),
    expiresAt: momentOf(expiresAt),
    maxUses: typeof maxUses === 'number' ? String(maxUses) : maxUses,
  };
}
