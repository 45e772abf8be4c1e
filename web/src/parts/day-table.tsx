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
      <div className="list-scroll">
        <table className="table">
          <thead>
            <tr>
              <th>{words.analytics.day}</th>
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
