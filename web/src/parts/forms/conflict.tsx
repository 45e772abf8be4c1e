import { Button, Group, Text } from '@mantine/core';
import { words } from '../../words';
import { Dialog } from '../dialog';
import { asText, fieldName } from '../values/format';

interface Props {
  /** The typed values, by field. */
  yours: Record<string, unknown>;
  /** The saved record. */
  theirs: Record<string, unknown>;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/**
 * Shown if somebody else has changed the record in the meantime. Nothing is lost: the person decides which
 * version to keep.
 */
export function ConflictDialog({ yours, theirs, onKeepMine, onTakeTheirs }: Props) {
  return (
    <Dialog title={words.conflict.title} size="lg">
      <Text size="sm" mb="sm">
        {words.conflict.text}
      </Text>
      <table className="table">
        <thead>
          <tr>
            <th>{words.common.details}</th>
            <th>{words.conflict.yours}</th>
            <th>{words.conflict.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {Object.keys(yours).map((name) => (
            <tr key={name}>
              <td>{fieldName(name)}</td>
              <td>{asText(yours[name])}</td>
              <td>{asText(theirs[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onTakeTheirs}>
          {words.conflict.takeTheirs}
        </Button>
        <Button onClick={onKeepMine}>{words.conflict.keepMine}</Button>
      </Group>
    </Dialog>
  );
}
