/** A shop on paper. Money in cents; stock null is not tracked, undefined is a product that is gone. */
export const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
export type Status = (typeof STATUSES)[number];

export const PRICES = [1_999, 1_050, 301];
/** Of every order, when it is first paid: 10 % of what was paid. */
const CASHBACK_SHARE = 10;
/** What the codes take off: 10 %, and 5.00. */
export const CODE_DISCOUNTS = [(sum: number) => Math.floor(sum / 10), (sum: number) => Math.min(sum, 500)];

export type Action =
  | {
      do: 'place';
      shopper: number;
      lines: { article: number; quantity: number }[];
      code: number | null;
      bonus: number;
      paid: boolean;
    }
  | { do: 'move'; order: number; to: Status }
  | { do: 'stock'; article: number; delta: number }
  | { do: 'track'; article: number; stock: number | null }
  | { do: 'bonus'; shopper: number; delta: number }
  | { do: 'delete' };

interface Line {
  article: number;
  /** Pieces it has of the tracked stock. */
  held: number;
}

interface Order {
  shopper: number;
  status: Status;
  been: Status[];
  lines: Line[];
  code: number | null;
  countsAsUse: boolean;
  paid: number;
  spent: number;
  earned: number;
  cancelled: {
    stock: [line: number, pieces: number][];
    use: boolean;
    bonus: number;
    cashback: number;
  } | null;
}

export class Paper {
  stock: (number | null | undefined)[];
  used = [0, 0];
  orders: Order[] = [];

  constructor(
    stock: (number | null)[],
    readonly most: (number | null)[],
    /** The balance of each shopper; below 0 it is what they owe. */
    public balances: number[],
  ) {
    this.stock = stock;
  }

  copy(): Paper {
    return Object.assign(Object.create(Paper.prototype) as Paper, structuredClone({ ...this }));
  }

  /** What a look at the shop shows. */
  seen(): string {
    const { stock, used, balances, orders } = this;
    return JSON.stringify({
      stock: stock.map((pieces) => (pieces === undefined ? 'gone' : pieces)),
      used,
      balances: balances.map((balance) => Math.max(balance, 0)),
      owed: balances.map((balance) => Math.max(-balance, 0)),
      orders: orders.map(({ status, spent, earned }) => [status, spent, earned]),
    });
  }

  /** @returns whether the shop takes it; nothing changes otherwise */
  take(action: Action): boolean {
    switch (action.do) {
      case 'place':
        return this.place(action);
      case 'move':
        return this.move(this.orders[action.order], action.to);
      case 'stock': {
        const next = (this.stock[action.article] ?? 0) + action.delta;
        if (this.stock[action.article] === undefined || next < 0) return false;
        this.stock[action.article] = next;
        return true;
      }
      case 'track':
        if (this.stock[action.article] === undefined) return false;
        if (action.stock === null) this.endTracking(action.article);
        this.stock[action.article] = action.stock;
        return true;
      case 'bonus': {
        const next = this.balances[action.shopper] + action.delta;
        // An adjustment of nothing is refused.
        if (action.delta === 0 || (action.delta < 0 && next < 0)) return false;
        this.balances[action.shopper] = next;
        return true;
      }
      case 'delete':
        if (this.stock[0] === undefined) return false;
        this.stock[0] = undefined;
        return true;
    }
  }

  private place({ shopper, lines, code, bonus, paid }: Extract<Action, { do: 'place' }>): boolean {
    const wanted = PRICES.map((_, i) =>
      lines.reduce((sum, { article, quantity }) => sum + (article === i ? quantity : 0), 0),
    );
    const lacking = this.stock.some(
      (pieces, i) => wanted[i] > 0 && (pieces === undefined || (pieces !== null && pieces < wanted[i])),
    );
    const sum = lines.reduce((total, { article, quantity }) => total + PRICES[article] * quantity, 0);
    const left = sum - (code === null ? 0 : CODE_DISCOUNTS[code](sum));
    const isUsedUp = code !== null && this.most[code] !== null && this.used[code] >= this.most[code]!;
    if (lacking || isUsedUp || bonus > Math.min(left, Math.max(this.balances[shopper], 0))) return false;
    const held = lines.map(({ article, quantity }) => ({
      article,
      held: this.stock[article] === null ? 0 : quantity,
    }));
    for (const line of held) if (line.held > 0) this.stock[line.article]! -= line.held;
    if (code !== null) this.used[code]++;
    this.balances[shopper] -= bonus;
    const order: Order = {
      shopper,
      status: 'PENDING',
      been: [],
      lines: held,
      code,
      countsAsUse: code !== null,
      paid: left - bonus,
      spent: bonus,
      earned: 0,
      cancelled: null,
    };
    this.orders.push(order);
    this.enter(order, paid ? 'PROCESSING' : 'PENDING');
    return true;
  }

  private move(order: Order, to: Status): boolean {
    if (order.status === to) return true;
    if (to === 'CANCELLED') this.cancel(order);
    if (order.status === 'CANCELLED') this.resume(order);
    this.enter(order, to);
    return true;
  }

  private enter(order: Order, to: Status): void {
    const isPaid = (status: Status) => status !== 'PENDING' && status !== 'CANCELLED';
    if (isPaid(to) && !order.been.some(isPaid)) {
      const award = Math.floor((order.paid * CASHBACK_SHARE) / 100);
      order.earned += award;
      this.balances[order.shopper] += award;
    }
    order.been.push(to);
    order.status = to;
  }

  private cancel(order: Order): void {
    const cancelled: NonNullable<Order['cancelled']> = {
      stock: [],
      use: false,
      bonus: order.spent,
      cashback: 0,
    };
    this.balances[order.shopper] += order.spent;
    order.spent = 0;
    cancelled.cashback = order.earned;
    this.balances[order.shopper] -= cancelled.cashback;
    order.earned -= cancelled.cashback;
    if (!order.been.includes('SHIPPED') && !order.been.includes('DELIVERED')) {
      order.lines.forEach(({ article, held }, i) => {
        if (typeof this.stock[article] !== 'number') order.lines[i].held = 0;
        if (held === 0 || typeof this.stock[article] !== 'number') return;
        this.stock[article] += held;
        cancelled.stock.push([i, held]);
      });
    }
    if (order.countsAsUse) {
      cancelled.use = true;
      this.used[order.code!]--;
    }
    order.cancelled = cancelled;
  }

  /** Open orders hold nothing any more of what is no longer counted. */
  private endTracking(article: number): void {
    for (const { status, lines } of this.orders) {
      if (status !== 'PENDING' && status !== 'PROCESSING') continue;
      for (const line of lines) if (line.article === article) line.held = 0;
    }
  }

  private resume(order: Order): void {
    const { stock, use, bonus, cashback } = order.cancelled!;
    order.cancelled = null;
    this.balances[order.shopper] += cashback;
    order.earned += cashback;
    order.spent = bonus;
    this.balances[order.shopper] -= order.spent;
    for (const [i, pieces] of stock) {
      const { article } = order.lines[i];
      const there = this.stock[article];
      const got = typeof there === 'number' ? Math.min(there, pieces) : 0;
      if (got > 0) this.stock[article] = (there as number) - got;
      order.lines[i].held = got;
    }
    if (!use) return;
    const most = this.most[order.code!];
    if (most === null || this.used[order.code!] < most) this.used[order.code!]++;
    else order.countsAsUse = false;
  }
}
