import { Big } from 'big.js';
import type { BonusKind } from '../../groups/customers/bonus-kinds.js';
import { BONUS_DECIMALS } from '../../groups/customers/bonus-ledger.service.js';
import { idAt, iso } from './past.js';

/** A row of the bonus ledger. `order` is the index of an order in the history. */
interface LedgerEntry {
  id: string;
  customerId: string;
  delta: string;
  balanceAfter: string;
  kind: BonusKind;
  reason: string | null;
  order: number | null;
  referredId: string | null;
  rules: object | null;
  createdAt: string;
  by: string;
}

type Posting = Pick<LedgerEntry, 'customerId' | 'kind' | 'by'> &
  Partial<Pick<LedgerEntry, 'reason' | 'order' | 'referredId' | 'rules'>>;

/** The bonus ledger of the demo store, in which every balance is the sum of its rows. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  private readonly balances = new Map<string, Big>();
  private last = 0;

  balance(customerId: string): Big {
    return this.balances.get(customerId) ?? new Big(0);
  }

  /**
   * Adds a row. Rows must be added in the order of time; rows of the same moment are written one millisecond
   * apart.
   */
  post(
    at: number,
    delta: Big,
    { customerId, kind, by, reason = null, order = null, referredId = null, rules = null }: Posting,
  ): void {
    if (delta.eq(0)) return;
    const balance = this.balance(customerId).plus(delta);
    if (balance.lt(0)) throw new Error(`the balance of ${customerId} would fall below 0`);
    this.balances.set(customerId, balance);
    this.last = Math.max(at, this.last + 1);
    this.entries.push({
      id: idAt(this.last),
      customerId,
      delta: delta.toFixed(BONUS_DECIMALS),
      balanceAfter: balance.toFixed(BONUS_DECIMALS),
      kind,
      reason,
      order,
      referredId,
      rules,
      createdAt: iso(this.last),
      by,
    });
  }

  /** The bonus that an order has spent or earned so far. */
  sumOf(order: number, kinds: readonly BonusKind[]): Big {
    return this.entries
      .filter((entry) => entry.order === order && kinds.includes(entry.kind))
      .reduce((sum, { delta }) => sum.plus(delta), new Big(0));
  }
}
