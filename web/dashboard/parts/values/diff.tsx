import { Code } from '@mantine/core';
import { words } from '../../words/all';
import { fieldName } from '../../api/telling/field-name';
import { asText } from './format';

/** Shows a change field by field. @param changes each field as [before, after] */
export function Diff({ changes }: { changes: Record<string, unknown> }) {
  return (
    <div className="list-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>{words.audit.field}</th>
            <th>{words.audit.before}</th>
            <th>{words.audit.after}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(changes).map(([name, change]) => {
            const [before, after] =
              Array.isArray(change) && change.length === 2 ? (change as unknown[]) : [undefined, change];
            return (
              <tr key={name}>
                <th scope="row">{fieldName(name)}</th>
                <td>
                  <Value value={before} />
                </td>
                <td>
                  <Value value={after} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null)
    return <span style={{ overflowWrap: 'anywhere' }}>{asText(value)}</span>;
  return (
    <Code block tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}
