import { Button } from '@mantine/core';
import { useState } from 'react';
import { BYTE_ORDER_MARK } from '../../../../src/platform/text/byte-order-mark.js';
import { neutralized } from '../../../../src/platform/text/formulas.js';
import { dayAt } from '../../../../src/stores/time-zone.js';
import { ask, type Input } from '../../api/client';
import { type Store, useStore } from '../../api/store';
import { notifyFailed } from '../../notify';
import { DownloadIcon } from '../../parts/icons';
import { words } from '../../words/all';
import type { Report, ReportRow } from './report-of';

/** The most rows that a report has. */
const ALL = 1_000;
const AMOUNTS = ['revenue', 'discount', 'bonus', 'tips', 'refunded'] as const;

/** The report as rows for spreadsheets: amounts in major units, and texts that none takes for a formula. */
function cellsOf({ rows, rest, rowCount }: Report, { currencyDecimals }: Store): (string | number)[][] {
  const amount = (minor: number) => (minor / 10 ** currencyDecimals).toFixed(currencyDecimals);
  const cells = (row: ReportRow) => [
    ...[neutralized(row.key ?? ''), neutralized(row.label ?? ''), row.orders, row.quantity],
    ...AMOUNTS.map((name) => amount(row[name])),
  ];
  const all = rest
    ? [...rows, { ...rest, key: null, label: words.reports.beyond(rowCount - rows.length) }]
    : rows;
  return [['key', 'label', 'orders', 'quantity', ...AMOUNTS], ...all.map(cells)];
}

/** Saves the whole report, also the rows that the page does not show, as a file. */
export function DownloadReport({ input }: { input: Input<'get_sales_report'> }) {
  const store = useStore();
  const [isReading, setReading] = useState(false);
  const save = async () => {
    const report = await ask(store.id, 'get_sales_report', { ...input, take: ALL });
    const { unparse } = (await import('papaparse')).default;
    const link = document.createElement('a');
    const text = BYTE_ORDER_MARK + unparse(cellsOf(report, store));
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    link.download = `sales-by-${input.groupBy}-${dayAt(new Date(report.from), report.timeZone)}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const start = () => {
    setReading(true);
    void save()
      .catch(notifyFailed)
      .finally(() => setReading(false));
  };
  return (
    <Button variant="default" leftSection={<DownloadIcon />} loading={isReading} onClick={start}>
      {words.common.exportCsv}
    </Button>
  );
}
