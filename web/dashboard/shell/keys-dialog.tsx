import { Group, Kbd, Stack, Text } from '@mantine/core';
import { useStore } from '../api/store';
import { Dialog } from '../parts/dialog';
import { menuFor } from '../registry';
import { words } from '../words/all';

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const store = useStore();
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], words.keys.palette],
    [['/'], words.keys.palette],
    [['j'], words.keys.next],
    [['k'], words.keys.previous],
    [['?'], words.keys.help],
    ...menuFor(store)
      .flatMap(({ pages }) => pages)
      .filter(({ key }) => key)
      .map(({ key, title }): [string[], string] => [['g', key!], words.keys.go(title())]),
  ];
  return (
    <Dialog onClose={onClose} title={words.keys.title}>
      <Stack gap="xs">
        {rows.map(([keys, text]) => (
          <Group key={keys.join()} justify="space-between">
            <Text size="sm">{text}</Text>
            <Group gap={4}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}
