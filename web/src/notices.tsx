import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { inWords } from './api/in-words';
import { words } from './words';

/** Confirms that an action is done. @param undo reverses the action, if one call can do that */
export function notifyDone(text: string, undo?: () => Promise<unknown>): void {
  const id = crypto.randomUUID();
  const reverse = () => {
    notifications.hide(id);
    undo!().then(
      () => notifyDone(words.common.undone),
      (error: Error) => notifyFailed(error),
    );
  };
  notifications.show({
    id,
    color: 'green',
    autoClose: undo ? 8_000 : 4_000,
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        {text}
        <Button size="compact-sm" variant="default" onClick={reverse}>
          {words.common.undo}
        </Button>
      </Group>
    ) : (
      text
    ),
  });
}

export function notifyFailed(error: Error): void {
  notifications.show({
    color: 'red',
    title: words.refusals.title,
    message: inWords(error),
    autoClose: 10_000,
  });
}
