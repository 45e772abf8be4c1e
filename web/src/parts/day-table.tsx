import { Table } from '@mantine/core';
import { words } from '../words';

interface Props<Day extends { date: string }> {
  /** The days, the oldest first; they are shown the other way round. */
  days: Day[];
  columns: { label: string; text: (day: Day) => string }[];
}

/** The figures under a plot, for those who read tables; folded until somebody opens it. */
export function DayTable<Day extends { date: string }>({ days, columns }: Props<Day>) {
  return (
    <details>
      <summary className="summary">{words.analytics.asTable}</summary>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.analytics.day}</Table.Th>
            {columns.map(({ label }) => (
              <Table.Th key={label} ta="end">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Td>{day.date}</Table.Td>
              {columns.map(({ label, text }) => (
                <Table.Td key={label} ta="end">
                  {text(day)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
