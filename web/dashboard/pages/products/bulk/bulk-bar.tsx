import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { SelectMatching } from '../../../parts/lists/select-matching';
import type { Selection } from '../../../parts/lists/selection';
import { words } from '../../../words/all';
import { EditDialog } from './edit-dialog';

/** The actions on the selected products, below the list. */
export function BulkBar({ selection }: { selection: Selection }) {
  const { selected, clear } = selection;
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      {selected.size > 0 && (
        <Group className="surface bulk-bar" role="region" aria-label={words.common.actions} gap="xs" p="xs">
          <Text size="sm" fw={600} px="xs" aria-live="polite">
            {words.common.selected(selected.size)}
          </Text>
          <Button onClick={() => setEditing(true)}>{words.common.edit}</Button>
          <SelectMatching {...selection} />
          <Button variant="subtle" color="gray" onClick={clear}>
            {words.handling.clear}
          </Button>
        </Group>
      )}
      {isEditing && (
        <EditDialog
          ids={[...selected]}
          onDone={() => {
            setEditing(false);
            clear();
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}
