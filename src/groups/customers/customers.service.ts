import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { RowOf } from '../../platform/database/statement.js';
import { changedFields } from '../../platform/store/audit.js';
import { DEFAULT_TAKE, type Page } from '../../platform/schema/pages/page.js';
import { invalidInput } from '../../platform/errors.js';
import { lastEdit, nextVersion } from '../../platform/store/version.js';
import { warning } from '../../platform/problems.js';
import { clearedWarning, withWarnings } from '../../platform/schema/warnings.js';
import { bonusDecimals, currencyExponent, hasAtMostDecimals } from '../../platform/money.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BONUS_DECIMALS, BonusLedger } from './bonus-ledger.service.js';
import { isCustomerId, noSuchCustomer } from './customer-id.js';
import { namesChange } from '../../search/documents.js';
import { askedOf } from '../../search/find.js';
import { spendDaily } from '../../stores/daily-limits.js';
import { Customer } from './customer.entity.js';
import { GET_CUSTOMER, LIST_CUSTOMERS, LOCK_CUSTOMER, SEARCH_CUSTOMERS } from './customer.statements.js';
import type {
  AdjustBonusInput,
  AdjustBonusResult,
  ListCustomersInput,
  UpdateCustomerInput,
} from './customers.dto.js';

/** A customer's record as the database returns it: exact numbers are text, times are dates. */
type CustomerRow = RowOf<typeof GET_CUSTOMER>;

/** A credit above what the customer ever spent, times this, is rarely meant. */
const LARGE_CREDIT = 10;

@Injectable()
export class CustomersService {
  constructor(private readonly ledger: BonusLedger) {}

  async list(
    ctx: StoreContext,
    { take = DEFAULT_TAKE, cursor, search }: ListCustomersInput,
  ): Promise<Page<CustomerRow>> {
    if (cursor !== undefined && !isCustomerId(cursor))
      throw invalidInput('cursor must be the id of a customer, as a list gave it out');
    const idAbove = cursor ?? '0';
    const rows = search
      ? await this.search(ctx, search, idAbove, take + 1)
      : await ctx.session.read(LIST_CUSTOMERS, { idAbove, take: take + 1 });
    const items = rows.slice(0, take);
    const cursorOf = ({ id }: CustomerRow) => id;
    return { items, nextCursor: rows.length > take ? cursorOf(items[items.length - 1]) : null, cursorOf };
  }

  private search(ctx: StoreContext, text: string, afterId: string, take: number): Promise<CustomerRow[]> {
    const asked = askedOf(ctx.storeId, 'customer', text, { lines: 'first' });
    return ctx.session.read(SEARCH_CUSTOMERS, {
      ...asked,
      number: null,
      phoneEnd: null,
      phoneLocal: null,
      afterId,
      take,
    });
  }

  async get(ctx: StoreContext, id: string): Promise<CustomerRow> {
    const [customer] = isCustomerId(id) ? await ctx.session.read(GET_CUSTOMER, { id }) : [];
    if (!customer) throw noSuchCustomer(id);
    return customer;
  }

  async update(ctx: StoreContext, { id, ...given }: UpdateCustomerInput) {
    const [before] = isCustomerId(id) ? await ctx.session.query(LOCK_CUSTOMER, { id }) : [];
    if (!before) throw noSuchCustomer(id);
    ctx.checkUnchanged(before.updatedAt, lastEdit(before));
    const updatedAt = nextVersion(ctx, before.updatedAt);
    const after: CustomerRow = { ...before, ...given, updatedAt };
    const edited = ['username', 'lastName'].filter((name) => name in given);
    const editedNames = [...new Set([...before.editedNames, ...edited])];
    const values = { ...given, updatedAt, editedNames };
    await ctx.rows(Customer).update({ id }, values);
    await namesChange(ctx, id);
    ctx.audit.target = `customer:${id}`;
    ctx.audit.changes = changedFields(before, given);
    return withWarnings(after, clearedWarning(ctx.audit.changes));
  }

  async adjustBonus(
    ctx: StoreContext,
    { customerId, delta, reason }: AdjustBonusInput,
  ): Promise<AdjustBonusResult> {
    if (!isCustomerId(customerId)) throw noSuchCustomer(customerId);
    const decimals = bonusDecimals(ctx.currency);
    if (!hasAtMostDecimals(delta, decimals))
      throw invalidInput(`delta must have at most ${decimals} decimals in a store of ${ctx.currency}`).about(
        'decimals',
        { path: 'delta', decimals },
      );
    const moved = await this.ledger.post(ctx, {
      customerId,
      delta: delta.toFixed(BONUS_DECIMALS),
      kind: 'adjustment',
      reason,
    });
    ctx.audit.target = `customer:${customerId}`;
    const { balance, owed, settled } = moved;
    ctx.audit.changes = changedFields(
      { bonusBalance: Number(moved.balanceBefore), bonusOwed: Number(moved.owedBefore) },
      { bonusBalance: Number(balance), bonusOwed: Number(owed) },
    );
    await spendDaily(ctx, 'bonus', delta);
    const { totalSpent } = await this.get(ctx, customerId);
    const spent = new Big(totalSpent).div(new Big(10).pow(currencyExponent(ctx.currency)));
    const isLarge = spent.gt(0) && spent.times(LARGE_CREDIT).lt(delta);
    const large = `delta ${delta} is above ten times the ${spent.toString()} that the customer ever spent`;
    const debt = `${settled} of delta settled what the customer owed; ${owed} is still owed`;
    return withWarnings({ customerId, delta, balance: Number(balance) }, [
      ...(isLarge ? [warning(large, 'large_credit', { delta, spent: spent.toNumber() })] : []),
      ...(Number(settled) > 0
        ? [warning(debt, 'settled', { settled: Number(settled), owed: Number(owed) })]
        : []),
    ]);
  }
}
