import { type NewOrder, noticeOf } from './notice.js';

const STORE = { id: 's', name: 'Nordwind' };
const order = (id: number, changes: Partial<NewOrder> = {}): NewOrder => ({
  ...{ id, total: 4900n, currency: 'USD', name: 'Olena' },
  ...changes,
});

describe('a notice', () => {
  it('of one order leads to its page, of several to the list, and names five of them', () => {
    expect(noticeOf(STORE, [order(7)], 'en')).toEqual({
      title: 'Nordwind · New order 7',
      text: '$49.00 · Olena',
      path: 's/orders/7',
    });
    const many = [1, 2, 3, 4, 5, 6, 7].map((id) => order(id));
    expect(noticeOf(STORE, many, 'en')).toEqual({
      title: 'Nordwind · 7 new orders',
      text: [1, 2, 3, 4, 5].map((id) => `${id} · $49.00 · Olena\n`).join('') + 'and 2 more',
      path: 's/orders',
    });
    expect(noticeOf(STORE, many, 'uk').title).toBe('Nordwind · Нових замовлень: 7');
  });

  it('has amounts with the decimals of their currency', () => {
    const textOf = (total: bigint, currency: string) =>
      noticeOf(STORE, [order(7, { total, currency, name: null })], 'en').text.replace(/\s/, ' ');
    expect([textOf(1200n, 'JPY'), textOf(50n, 'XTR'), textOf(1234n, 'KWD'), textOf(5n, 'EUR')]).toEqual([
      '¥1,200',
      'XTR 50',
      'KWD 1.234',
      '€0.05',
    ]);
  });

  it('is one line for an order, however its shopper calls themselves', () => {
    const textOf = (name: string) => noticeOf(STORE, [order(7, { name })], 'en').text;
    expect(textOf('Olena\n8 · $0.01\u2028 Eve')).toBe('$49.00 · Olena 8 · $0.01 Eve');
    expect(textOf('👩‍👩‍👧'.repeat(99))).toBe(`$49.00 · ${'👩‍👩‍👧'.repeat(59)}…`);
  });
});
