import { Alert, Group, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useSearch } from '../../address';
import type { RouteInput, RouteOutput } from '../../api/client';
import { useRead } from '../../api/queries';
import { ConfigForm } from '../../parts/forms/config-form';
import { inputsOf } from '../../parts/inputs/inputs-of';
import { PictureInput } from '../../parts/inputs/picture-input';
import { Section } from '../../parts/states';
import { Tabs } from '../../parts/tabs';
import { MessageBubble } from '../../parts/values/message-bubble';
import { words } from '../../words/all';

type Kind = RouteInput<'GET stores/{storeId}/bot/messages/{kind}'>['kind'];
type Stored = RouteOutput<'GET stores/{storeId}/bot/messages/{kind}'>;
type Message = Omit<Stored, 'kind' | 'updatedAt' | 'pictureRefused'>;

/** In the order in which a shopper reads them. */
const KINDS: readonly Kind[] = ['welcome', 'placed', 'paid', 'shipped', 'delivered', 'cancelled'];
/** The order number in previews of messages. The service inserts the real one. */
const SAMPLE_ORDER = '1042';

const message = ({ enabled, text, imageUrl, buttonText }: Stored): Message => ({
  ...(enabled === undefined ? {} : { enabled }),
  ...{ text, imageUrl, buttonText },
});

/** The messages that the bot sends by itself, one at a time. */
export function Messages() {
  const [search] = useSearch();
  const kind = KINDS.find((one) => one === search.message) ?? 'welcome';
  const tabs = KINDS.map((one) => ({
    value: one === 'welcome' ? undefined : one,
    label: words.bot.messages[one].tab,
  }));
  return (
    <>
      <Tabs label={words.bot.messagesOf} name="message" tabs={tabs} replace />
      <MessageForm key={kind} kind={kind} />
    </>
  );
}

/** What the messenger said of the picture of a message, the last time that it was sent. */
function RefusedPicture({ kind }: { kind: Kind }) {
  const { data } = useRead('GET stores/{storeId}/bot/messages/{kind}', { kind });
  if (!data?.pictureRefused) return null;
  return <Alert color="yellow">{words.bot.pictureRefused(data.pictureRefused)}</Alert>;
}

/** A form for one of the bot's messages, with a preview. */
function MessageForm({ kind }: { kind: Kind }) {
  const say = words.bot.messages[kind];
  const { text, image } = words.bot;
  return (
    <Section title={say.title} hint={say.hint}>
      <RefusedPicture kind={kind} />
      <ConfigForm
        get="GET stores/{storeId}/bot/messages/{kind}"
        update="PUT stores/{storeId}/bot/messages/{kind}"
        which={{ kind }}
        pick={message}
        texts={{ labels: { enabled: words.bot.enabled, text, imageUrl: image, buttonText: say.button } }}
      >
        {({ value, change, errorOf }) => {
          const inputs = inputsOf(value, change, errorOf);
          return (
            <>
              {value.enabled !== undefined && (
                <Switch {...inputs.switch('enabled')} label={words.bot.enabled} />
              )}
              <Group align="flex-start" gap="xl">
                <Stack flex={1} miw={260} gap="sm">
                  <Textarea {...inputs.text('text')} label={text} autosize minRows={4} />
                  <PictureInput
                    {...inputs.text('imageUrl')}
                    label={image}
                    onChange={(url) => change({ imageUrl: url || null })}
                  />
                  <TextInput {...inputs.text('buttonText', null)} label={say.button} />
                </Stack>
                <MessageBubble
                  {...value}
                  text={kind === 'welcome' ? value.text : value.text.replaceAll('{orderId}', SAMPLE_ORDER)}
                />
              </Group>
            </>
          );
        }}
      </ConfigForm>
    </Section>
  );
}
