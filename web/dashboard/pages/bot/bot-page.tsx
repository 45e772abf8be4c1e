import { Alert, Anchor, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../api/client';
import { useRead } from '../../api/queries';
import { ConfirmDialog } from '../../parts/dialogs';
import { Failure } from '../../parts/failure';
import { ConnectBot } from '../../parts/forms/connect-bot';
import { Facts, LoadingBlock, PageHead, Section } from '../../parts/states';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';
import { BotApp } from './bot-app';
import { Messages } from './messages';

export default function BotPage() {
  return (
    <Stack maw={960}>
      <PageHead title={words.pages.bot} />
      <Connection />
      <BotApp />
      <Messages />
    </Stack>
  );
}

function Connection() {
  const bot = useRead('get_bot', {});
  const app = useRead('GET stores/{storeId}/bot/app', {});
  const [asked, setAsked] = useState<'connect' | 'disconnect' | null>(null);
  const close = () => setAsked(null);
  if (bot.error) return <Failure error={bot.error} retry={() => void bot.refetch()} />;
  if (!bot.data) return <LoadingBlock lines={2} />;
  const { connected, username } = bot.data;
  const actions = (
    <Group gap="xs">
      {connected && (
        <Button variant="default" c="var(--red)" onClick={() => setAsked('disconnect')}>
          {words.bot.disconnect}
        </Button>
      )}
      <Button onClick={() => setAsked('connect')}>{connected ? words.bot.replace : words.bot.connect}</Button>
    </Group>
  );
  return (
    <Section
      title={words.bot.connection}
      hint={connected ? undefined : words.bot.connectHint}
      actions={actions}
    >
      {!connected && app.data?.menuButton === 'not_https' && (
        <Alert color="yellow" title={words.bot.notHttps}>
          {words.bot.notHttpsHint}
        </Alert>
      )}
      <BotFacts {...bot.data} />
      {asked === 'disconnect' && (
        <ConfirmDialog
          title={words.bot.disconnectNamed(`@${username}`)}
          submitLabel={words.bot.disconnect}
          change="DELETE stores/{storeId}/bot"
          input={{}}
          done={words.bot.disconnected}
          onClose={close}
        >
          {words.bot.disconnectHint}
        </ConfirmDialog>
      )}
      {asked === 'connect' && <ConnectBot onClose={close} />}
    </Section>
  );
}

function BotFacts({ connected, username, connectedAt }: Output<'get_bot'>) {
  const link = username && `https://t.me/${username}`;
  return (
    <Facts
      facts={[
        [
          words.bot.state,
          <Badge tone={connected ? 'green' : 'amber'}>
            {connected ? words.bot.connected : words.bot.notConnected}
          </Badge>,
        ],
        [
          words.bot.link,
          link && <Anchor href={link} target="_blank" rel="noreferrer">{`@${username}`}</Anchor>,
        ],
        [words.bot.since, connectedAt && <When iso={connectedAt} />],
      ]}
    />
  );
}
