import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import type { RouteOutput } from '../../api/client';
import { useRead } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { Section } from '../../parts/states';
import { Badge } from '../../parts/values/values';
import { words } from '../../words/all';

type App = RouteOutput<'GET stores/{storeId}/bot/app'>;
const OPENS = ['shop', 'app', 'nothing'] as const;

/** What the buttons of the bot open, and whether the button of its chats is set. */
export function BotApp() {
  const app = useRead('GET stores/{storeId}/bot/app', {});
  const bot = useRead('get_bot', {});
  const say = words.bot.app;
  if (app.error) return <Failure error={app.error} retry={() => void app.refetch()} />;
  if (!app.data) return null;
  const { menuButton } = app.data;
  return (
    <Section title={say.title} hint={menuButton === 'not_https' ? words.viewShop.reasons.address : say.hint}>
      {bot.data?.connected && <Choice key={JSON.stringify(app.data)} {...app.data} />}
    </Section>
  );
}

function Choice({ opens: stored, url: storedUrl, menuButton, detail }: App) {
  const say = words.bot.app;
  const [opens, setOpens] = useState(stored);
  const [url, setUrl] = useState(storedUrl ?? '');
  const { make, isPending } = useChange('PUT stores/{storeId}/bot/app', { done: say.done });
  const choices = OPENS.map((value) => ({ value, label: say.opens[value] }));
  const save = () => make({ opens, ...(opens === 'app' && { url: url.trim() }) });
  return (
    <>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={say.label}
          data={choices}
          value={opens}
          onChange={({ currentTarget }) => setOpens(currentTarget.value as App['opens'])}
        />
        {opens === 'app' && (
          <TextInput
            label={say.url}
            type="url"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        )}
        <Button onClick={() => void save()} loading={isPending}>
          {say.set}
        </Button>
      </Group>
      <Group gap="xs" mt="sm">
        <Badge tone={menuButton === 'set' ? 'green' : 'amber'}>{say.states[menuButton]}</Badge>
        {detail && menuButton !== 'not_https' && <Text size="sm">{detail}</Text>}
      </Group>
    </>
  );
}
