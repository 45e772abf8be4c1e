import { NativeSelect, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change';
import type { RouteInput } from '../../../api/client';
import { useRead } from '../../../api/queries';
import { useReloadStores } from '../../../api/reload-stores';
import { useStore } from '../../../api/store';
import { Dialog } from '../../../parts/dialog';
import { LANGUAGES } from '../../../words';
import { words } from '../../../words/all';
import { MESSAGES } from './steps';

/** What shoppers are told of their orders by themselves, and in which language. */
export function MessagesDrawer({ onClose }: { onClose: () => void }) {
  const { hint } = words.firstSale.messages;
  return (
    <Dialog side onClose={onClose} title={words.firstSale.steps.messages}>
      <Text size="sm" c="dimmed" mb="md">
        {hint}
      </Text>
      <ShopLanguage />
      {MESSAGES.map((kind) => (
        <MessageSwitch key={kind} kind={kind} />
      ))}
    </Dialog>
  );
}

type Language = RouteInput<'PUT stores/{storeId}/profile'>['language'];

function ShopLanguage() {
  const { language: stored } = useStore();
  const [language, choose] = useState(stored);
  const reload = useReloadStores();
  const { make, isPending } = useChange('PUT stores/{storeId}/profile', {
    onDone: (profile) => void reload({ language: profile.language }),
  });
  return (
    <NativeSelect
      mb="md"
      label={words.settings.language}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      value={language}
      disabled={isPending}
      onChange={({ currentTarget: { value } }) => {
        choose(value);
        void make({ language: value as Language }).then((made) => made || choose(stored));
      }}
    />
  );
}

function MessageSwitch({ kind }: { kind: (typeof MESSAGES)[number] }) {
  const { data } = useRead('GET stores/{storeId}/bot/messages/{kind}', { kind });
  const { make, isPending } = useChange('PUT stores/{storeId}/bot/messages/{kind}');
  return (
    <Switch
      mb="sm"
      label={words.bot.messages[kind].title}
      description={data?.text}
      checked={data?.enabled ?? false}
      disabled={!data || isPending}
      onChange={({ currentTarget: { checked } }) => void make({ kind, enabled: checked })}
    />
  );
}
