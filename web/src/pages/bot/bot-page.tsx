import { Anchor, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../api/client';
import { useOperation } from '../../api/queries';
import { ConfigForm } from '../../parts/draft';
import { Failure } from '../../parts/failure';
import { MessageBubble } from '../../parts/message-bubble';
import { notifyDone } from '../../parts/notify';
import { PictureInput } from '../../parts/picture-input';
import { SchemaForm } from '../../parts/schema-form';
import { Facts, LoadingBlock, PageHead, Section } from '../../parts/states';
import { Badge, When } from '../../parts/values';
import { words } from '../../words';

export default function BotPage() {
  return (
    <Stack maw={960}>
      <PageHead title={words.bot.title} />
      <Connection />
      <Welcome />
    </Stack>
  );
}

function Connection() {
  const bot = useOperation('get_bot', {});
  const [isConnecting, setConnecting] = useState(false);
  if (bot.error) return <Failure error={bot.error} retry={() => void bot.refetch()} />;
  if (!bot.data) return <LoadingBlock lines={2} />;
  const { connected, username, connectedAt } = bot.data;
  const link = username && `https://t.me/${username}`;
  return (
    <Section
      title={words.bot.connection}
      hint={connected ? undefined : words.bot.connectHint}
      actions={<Button onClick={() => setConnecting(true)}>{connected ? words.bot.replace : words.bot.connect}</Button>}
    >
      <Facts
        facts={[
          [
            words.bot.state,
            <Badge tone={connected ? 'green' : 'amber'}>{connected ? words.bot.connected : words.bot.notConnected}</Badge>,
          ],
          [words.bot.link, link && <Anchor href={link} target="_blank" rel="noreferrer">{`@${username}`}</Anchor>],
          [words.bot.since, connectedAt && <When iso={connectedAt} />],
        ]}
      />
      {isConnecting && (
        <Modal opened onClose={() => setConnecting(false)} title={words.bot.connect}>
          <Text size="sm" mb="sm">
            {words.bot.tokenHint}
          </Text>
          <SchemaForm
            operation="connect_bot"
            hints={{ token: { label: words.bot.token } }}
            submitLabel={words.bot.connect}
            onDone={() => {
              setConnecting(false);
              notifyDone(words.bot.connected);
            }}
          />
        </Modal>
      )}
    </Section>
  );
}

type Message = Omit<Output<'get_welcome_message'>, 'updatedAt'>;
const message = ({ updatedAt: _, ...rest }: Output<'get_welcome_message'>): Message => rest;

/** What a shopper reads first, beside a picture of it. */
function Welcome() {
  return (
    <Section title={words.bot.welcome} hint={words.bot.welcomeHint}>
      <ConfigForm get="get_welcome_message" update="update_welcome_message" pick={message as (record: never) => Message}>
        {({ value, change, errorOf }) => (
          <Group align="flex-start" gap="xl">
            <Stack flex={1} miw={260} gap="sm">
              <Textarea
                label={words.bot.text}
                value={value.text}
                error={errorOf('text')}
                autosize
                minRows={4}
                onChange={(event) => change({ text: event.currentTarget.value })}
              />
              <PictureInput
                label={words.bot.image}
                value={value.imageUrl ?? ''}
                error={errorOf('imageUrl')}
                onChange={(url) => change({ imageUrl: url || null })}
              />
              <TextInput
                label={words.bot.button}
                value={value.buttonText ?? ''}
                error={errorOf('buttonText')}
                onChange={(event) => change({ buttonText: event.currentTarget.value || null })}
              />
            </Stack>
            <MessageBubble text={value.text} imageUrl={value.imageUrl} buttonText={value.buttonText} />
          </Group>
        )}
      </ConfigForm>
    </Section>
  );
}
