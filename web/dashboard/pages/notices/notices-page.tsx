import { Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries';
import { hasSound, setSound } from '../../notify';
import { Problem } from '../../parts/problem';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';
import { Chat } from './chat';

/** The chat is linked in the messenger. */
const REFRESH_MS = 5_000;

/** Where the signed-in member is told of new orders of the store. */
export default function NoticesPage() {
  const query = useRead('GET stores/{storeId}/notices', {}, { refetchInterval: REFRESH_MS });
  return (
    <Stack maw={720}>
      <PageHead title={words.pages.notices} hint={words.notices.hint} />
      <Sound />
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <LoadingBlock />}
      {query.data && <Chat {...query.data.chat} />}
    </Stack>
  );
}

function Sound() {
  const [isLoud, setLoud] = useState(hasSound);
  return (
    <Section title={words.notices.pages} hint={words.notices.pagesHint}>
      <Switch
        label={words.accountMenu.sound}
        checked={isLoud}
        onChange={({ currentTarget: { checked } }) => {
          setSound(checked);
          setLoud(checked);
        }}
      />
    </Section>
  );
}
