import { words } from '../../words/all';

interface Props<Day extends { date: string }> {
  /** The days, oldest first. The table shows them in reverse order. */
  days: Day[];
  columns: { label: string; text: (day: Day) => string }[];
}

/**
 * The figures of a plot as a table, for people who cannot see the plot or prefer a table. Collapsed by
 * default.
 */
export function DayTable<Day extends { date: string }>({ days, columns }: Props<Day>) {
  return (
    <details>
      <summary className="summary">{words.figures.asTable}</summary>
      <div className="list-scroll">
        <table className="table">
          <thead>
            <tr>
              <th>{words.figures.day}</th>
              {columns.map(({ label }) => (
                <th key={label} className="end">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <td>{day.date}</td>
                {columns.map(({ label, text }) => (
                  <td key={label} className="end">
                    {text(day)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
