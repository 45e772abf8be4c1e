import { Alert, Button, Group } from '@mantine/core';
import { useChange } from '../../api/change';
import { inWords } from '../../api/telling/in-words';
import { Refusal } from '../../api/refusal';
import { notifyDone, notifyFailed } from '../../notify';
import { GoTo } from '../../parts/go-to';
import { words } from '../../words/all';
import { type Message, sentOf } from './message';

/** Sends the message to the member's own chat with the bot, as shoppers will see it. */
export function TestButton({ message }: { message: Message }) {
  const { campaigns } = words;
  const test = useChange('POST stores/{storeId}/campaigns/test', {
    refusals: 'form',
    onDone: ({ sent, error }) => {
      if (sent) notifyDone(campaigns.tested);
      else notifyFailed(new Error(campaigns.testFailed(error ?? '')));
    },
  });
  const { name: _, ...shown } = message;
  const { error } = test;
  return (
    <>
      {error && (
        <Alert color={isUnlinked(error) ? 'yellow' : 'red'} role="alert" mt="sm">
          {isUnlinked(error) ? campaigns.noChat : inWords(error)}{' '}
          {isUnlinked(error) && <GoTo to="notices">{words.pages.notices}</GoTo>}
        </Alert>
      )}
      <Group mt="sm">
        <Button
          variant="default"
          loading={test.isPending}
          disabled={message.text.trim() === ''}
          onClick={() => void test.make({ text: message.text, ...sentOf(shown) })}
        >
          {campaigns.test}
        </Button>
      </Group>
    </>
  );
}

const isUnlinked = (error: Error) => error instanceof Refusal && error.code === 'not_found';
