import { Anchor, Text } from '@mantine/core';
import { words } from '../../words/all';
import { Dialog } from '../dialog';
import { SchemaForm } from './schema-form';

/** How a bot is made in the messenger, and where its token goes. */
export function ConnectBot({ onClose }: { onClose: () => void }) {
  const { make, father } = words.firstSale.bot;
  return (
    <Dialog side onClose={onClose} title={words.bot.connect}>
      <ol>
        <li>
          {father}{' '}
          <Anchor underline="always" href="https://t.me/BotFather" target="_blank" rel="noreferrer">
            @BotFather
          </Anchor>
        </li>
        {make.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ol>
      <Text size="sm" mb="sm">
        {words.bot.tokenHint}
      </Text>
      <SchemaForm
        operation="connect_bot"
        hints={{ token: { label: words.bot.token } }}
        submitLabel={words.bot.connect}
        done={words.bot.connected}
        onDone={onClose}
      />
    </Dialog>
  );
}
