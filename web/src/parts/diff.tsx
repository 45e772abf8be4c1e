import { Code, Table } from '@mantine/core';
import { words } from '../words';
import { asText } from './conflict';
import { fieldName } from './format';

/** What a change did, field by field. @param changes each field as [before, after] */
export function Diff({ changes }: { changes: Record<string, unknown> }) {
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.audit.field}</Table.Th>
            <Table.Th>{words.audit.before}</Table.Th>
            <Table.Th>{words.audit.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(changes).map(([name, change]) => {
            const [before, after] = Array.isArray(change) && change.length === 2 ? (change as unknown[]) : [undefined, change];
            return (
              <Table.Tr key={name}>
                <Table.Th scope="row">{fieldName(name)}</Table.Th>
                <Table.Td>
                  <Value value={before} />
                </Table.Td>
                <Table.Td>
                  <Value value={after} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null) return <span style={{ overflowWrap: 'anywhere' }}>{asText(value)}</span>;
  return (
    <Code block tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}
