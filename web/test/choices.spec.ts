import { audiencesOf } from '../dashboard/pages/campaigns/audiences';
import { idsIn } from '../dashboard/pages/campaigns/ids';
import { daysOf, hasYears, type Report, reportOf, revenueOf } from '../dashboard/pages/reports/report-of';
import { segmentOf } from '../dashboard/parts/lists/segment';
import { loadTexts } from './load-words';

beforeAll(() => loadTexts('en'));

describe('the days of a report', () => {
  const days = (search: Record<string, string>) => daysOf(search, '2026-03-15');

  it('are the last 30 unless the address says otherwise', () => {
    expect(days({})).toEqual(['2026-02-14', '2026-03-15']);
    expect(days({ period: 'x' })).toEqual(days({}));
    expect(days({ period: '7d' })).toEqual(['2026-03-09', '2026-03-15']);
  });

  it('are those of a month or a year until today', () => {
    expect(days({ period: 'month' })).toEqual(['2026-03-01', '2026-03-15']);
    expect(days({ period: 'lastMonth' })).toEqual(['2026-02-01', '2026-02-28']);
    expect(days({ period: 'year' })).toEqual(['2026-01-01', '2026-03-15']);
  });

  it('are those that were chosen; what is no day is as if not chosen', () => {
    const chosen = { period: 'chosen', from: '2026-01-02', to: '2026-13-01' };
    expect(days(chosen)).toEqual(['2026-01-02', '2026-03-15']);
  });
});

describe('a report by time', () => {
  const row = (key: string, revenue: number) => ({ key, revenue }) as Report['rows'][number];

  it('has all days that the service takes; other rows are as many as it answers by itself', () => {
    const search = { period: 'chosen', from: '2025-02-01', to: '2026-03-01' };
    expect(reportOf({ ...search, group: 'day' })).toMatchObject({ groupBy: 'day', take: 400 });
    expect(reportOf({ ...search, group: 'product' }).take).toBeUndefined();
  });

  it('has a zero where nothing was ordered', () => {
    const window = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' };
    const report = { ...window, rows: [row('2026-03-01', 5), row('2026-03-03', 7)] } as Report;
    expect(revenueOf(report, 'day').map(({ revenue }) => revenue)).toEqual([5, 0, 7]);
    expect(revenueOf({ ...report, rows: [] }, 'week')).toEqual([
      { key: '2026-02-23', revenue: 0 },
      { key: '2026-03-02', revenue: 0 },
    ]);
  });

  it('names years if its days or weeks begin in several', () => {
    const report = { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z', rows: [] as Report['rows'] };
    expect(hasYears(report as Report, 'day')).toBe(false);
    expect(hasYears(report as Report, 'week')).toBe(true);
    expect(hasYears({ ...report, to: '2027-01-02T00:00:00Z' } as Report, 'day')).toBe(true);
  });
});

describe('customers chosen by their purchases', () => {
  it('are described by the address: amounts in major units, whole days', () => {
    const days = { from: '2026-03-01', to: '2026-03-01' };
    expect(segmentOf({ minSpent: '19.99', minOrders: '2', ...days }, 2).filters).toEqual({
      ...{ minSpent: 1999, minOrders: 2 },
      ...{ lastOrderFrom: '2026-03-01T00:00:00.000Z', lastOrderTo: '2026-03-01T23:59:59.999Z' },
    });
    // What cannot be read chooses nobody.
    expect(segmentOf({ minSpent: 'much', minOrders: '' }, 2)).toMatchObject({
      ...{ filters: null, unreadable: expect.stringMatching(/^Spent, at least: /) },
    });
  });

  it('get a campaign in calls of 500 each', () => {
    const ids = Array.from({ length: 1_001 }, (_, i) => String(i));
    const audiences = audiencesOf(ids);
    expect(audiences.map(({ customerIds }) => customerIds.length)).toEqual([500, 500, 1]);
    expect(audiences.flatMap(({ customerIds }) => customerIds)).toEqual(ids);
    expect(audiencesOf([])).toEqual([{ customerIds: [] }]);
  });

  it('are a list of ids, if it is nothing but that', () => {
    expect(idsIn('77')).toEqual(['77']);
    expect(idsIn('77, 78;\n79\r\n\t80,')).toEqual(['77', '78', '79', '80']);
    for (const text of ['', 'Olena', '77, Olena', '050 123 45 67', '+380501234567'])
      expect(idsIn(text)).toEqual([]);
  });
});
