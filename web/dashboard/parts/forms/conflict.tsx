import { Button, Group, Text } from '@mantine/core';
import { words } from '../../words';
import { Dialog } from '../dialog';
import { useStore } from '../../api/store';
import { differences, type FieldTexts } from './differences';

interface Props {
  /** The typed values, by field. */
  yours: Record<string, unknown>;
  /** The saved record. */
  theirs: Record<string, unknown>;
  texts?: FieldTexts;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/**
 * Shown if somebody else has changed the record in the meantime. Nothing is lost: the person decides which
 * version to keep.
 */
export function ConflictDialog({ yours, theirs, texts = {}, onKeepMine, onTakeTheirs }: Props) {
  const { currencyDecimals } = useStore();
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
          {differences(yours, theirs, texts, currencyDecimals).map((one, i) => (
            <tr key={i}>
              <td>{one.label}</td>
              <td>{one.yours}</td>
              <td>{one.theirs}</td>
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
