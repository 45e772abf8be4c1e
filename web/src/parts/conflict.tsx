import { Button, Group, Modal, Table, Text } from '@mantine/core';
import { words } from '../words';
import { fieldName } from './format';

interface Props {
  /** What was typed, by field. */
  yours: Record<string, unknown>;
  /** The record as it is saved now. */
  theirs: Record<string, unknown>;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Two people have edited one record: nothing is lost, and the second one decides. */
export function ConflictDialog({ yours, theirs, onKeepMine, onTakeTheirs }: Props) {
  return (
    <Modal
      opened
      onClose={onTakeTheirs}
      title={words.conflict.title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Text size="sm" mb="sm">
        {words.conflict.text}
      </Text>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.common.details}</Table.Th>
            <Table.Th>{words.conflict.yours}</Table.Th>
            <Table.Th>{words.conflict.theirs}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.keys(yours).map((name) => (
            <Table.Tr key={name}>
              <Table.Td>{fieldName(name)}</Table.Td>
              <Table.Td>{asText(yours[name])}</Table.Td>
              <Table.Td>{asText(theirs[name])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onTakeTheirs}>
          {words.conflict.takeTheirs}
        </Button>
        <Button onClick={onKeepMine}>{words.conflict.keepMine}</Button>
      </Group>
    </Modal>
  );
}

/** A value of any kind in one line. */
export function asText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? words.common.yes : words.common.no;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
}
