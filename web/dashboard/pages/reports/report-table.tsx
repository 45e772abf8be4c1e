import { isTimeGroup } from '../../../../src/groups/analytics/report-spans.js';
import { wholeList } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { dayName, monthName, number } from '../../parts/values/format';
import { Money } from '../../parts/values/values';
import { words } from '../../words/all';
import { hasYears, type Report, type ReportRow, type reportOf } from './report-of';

type Group = ReturnType<typeof reportOf>['groupBy'];

/** Rows that belong to no record have the words for that instead of a name. */
export function nameOf(
  { key, label }: Pick<ReportRow, 'key' | 'label'>,
  group: Group,
  withYear: boolean,
): string {
  if (key === null) return words.reports.rest[group === 'promocode' ? 'promocode' : 'line'];
  if (key === 'none' && (group === 'category' || group === 'brand')) return words.reports.rest[group];
  if (group === 'day' || group === 'week') return dayName(key, withYear ? 'numeric' : undefined);
  if (group === 'month') return monthName(key);
  return label ?? key;
}

const AMOUNTS = ['discount', 'bonus', 'tips', 'refunded'] as const;

const columnsOf = (group: Group, most: number, withYear: boolean): Column<ReportRow>[] => {
  const { columns, groups } = words.reports;
  return [
    { key: 'name', label: groups[group], render: (row) => nameOf(row, group, withYear) },
    { key: 'orders', label: columns.orders, render: ({ orders }) => number(orders), align: 'end' },
    { key: 'quantity', label: columns.quantity, render: ({ quantity }) => number(quantity), align: 'end' },
    {
      key: 'revenue',
      label: columns.revenue,
      render: ({ revenue }) => (
        <>
          <Money minor={revenue} />
          <i className="share" style={{ width: `${Math.max(0, (100 * revenue) / most)}%` }} />
        </>
      ),
      align: 'end',
    },
    ...AMOUNTS.map((name): Column<ReportRow> => ({
      key: name,
      label: columns[name],
      render: (row) => <Money minor={row[name]} />,
      align: 'end',
      wideOnly: true,
    })),
  ];
};

/** The rows of the report, and how many there are beyond those shown. */
export function ReportTable({ report, group }: { report: Report; group: Group }) {
  const { rows: found, rest, rowCount } = report;
  const rows = isTimeGroup(group) ? found.toReversed() : found;
  const beyond: ReportRow[] = rest
    ? [{ ...rest, key: '…', label: words.reports.beyond(rowCount - found.length) }]
    : [];
  const data = { items: [...rows, ...beyond] };
  const list = { data, isPending: false, error: null, refetch: () => undefined };
  const most = Math.max(1, ...rows.map(({ revenue }) => revenue));
  return (
    <DataList
      query={wholeList<ReportRow, typeof list>(list)}
      columns={columnsOf(group, most, hasYears(report, group))}
      rowKey={({ key }) => key ?? ''}
      empty={{ title: words.reports.empty }}
    />
  );
}
