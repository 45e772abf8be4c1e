import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { hasSound, notifyDone, notifyFailed, setSound } from '../../notify';
import { Problem } from '../../parts/problem';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { browserName } from '../../parts/values/browser-name';
import { When } from '../../parts/values/values';
import { language, words } from '../../words';
import { Chat } from './chat';
import { isAllowed, obstacle, subscribe } from './this-browser';

/** The chat is linked in the messenger. */
const REFRESH_MS = 5_000;

type Notices = RouteOutput<'GET stores/{storeId}/notices'>;

/** Where the signed-in member is told of new orders of the store. */
export default function NoticesPage() {
  const query = useRead('GET stores/{storeId}/notices', {}, { refetchInterval: REFRESH_MS });
  return (
    <Stack maw={720}>
      <PageHead title={words.notices.title} hint={words.notices.hint} />
      <Sound />
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <LoadingBlock />}
      {query.data && <ThisBrowser {...query.data} />}
      {query.data && <OtherBrowsers {...query.data} />}
      {query.data && <Chat {...query.data.chat} />}
    </Stack>
  );
}

function Sound() {
  const [isLoud, setLoud] = useState(hasSound);
  return (
    <Section title={words.notices.pages} hint={words.notices.pagesHint}>
      <Switch
        label={words.shell.sound}
        checked={isLoud}
        onChange={({ currentTarget: { checked } }) => {
          setSound(checked);
          setLoud(checked);
        }}
      />
    </Section>
  );
}

function ThisBrowser({ publicKey, browsers }: Notices) {
  const here = browsers.find(({ isThis }) => isThis);
  const [isAsking, setAsking] = useState(false);
  const turnOn = useChange('PUT stores/{storeId}/notices/browser', { done: words.notices.turnedOn });
  const turnOff = useChange('DELETE stores/{storeId}/notices/browsers/{id}', {
    done: words.notices.turnedOff,
  });
  const test = useChange('POST stores/{storeId}/notices/test', {
    onDone: ({ sent, error }) => {
      if (sent) notifyDone(words.notices.tested);
      else notifyFailed(new Error(words.notices.testFailed(error ?? '')));
    },
  });
  const ask = async () => {
    setAsking(true);
    try {
      await turnOn.make({ ...(await subscribe(publicKey)), language });
    } catch (error) {
      notifyFailed(error as Error);
    } finally {
      setAsking(false);
    }
  };
  const problem = obstacle();
  const isOn = here !== undefined && isAllowed();
  const isBusy = isAsking || turnOn.isPending || turnOff.isPending;
  const toggle = () => void (isOn ? turnOff.make({ id: here.id }) : ask());
  return (
    <Section title={words.notices.browser} hint={words.notices.browserHint}>
      <Switch
        label={words.notices.notifyHere}
        description={problem ?? (isOn ? words.notices.on : words.notices.off)}
        checked={isOn}
        disabled={isBusy || (problem !== null && !isOn)}
        onChange={toggle}
      />
      {isOn && (
        <Group>
          <Button variant="default" loading={test.isPending} onClick={() => void test.make({})}>
            {words.notices.test}
          </Button>
        </Group>
      )}
    </Section>
  );
}

function OtherBrowsers({ browsers }: Notices) {
  const others = browsers.filter(({ isThis }) => !isThis);
  if (others.length === 0) return null;
  return (
    <Section title={words.notices.others}>
      {others.map((other) => (
        <OtherBrowser key={other.id} {...other} />
      ))}
    </Section>
  );
}

function OtherBrowser({ id, browser, createdAt }: Notices['browsers'][number]) {
  const turnOff = useChange('DELETE stores/{storeId}/notices/browsers/{id}', {
    done: words.notices.turnedOff,
  });
  const name = browserName(browser);
  return (
    <Group justify="space-between">
      <div>
        <Text>{name}</Text>
        <Text size="sm" c="dimmed">
          {words.notices.since} <When iso={createdAt} short />
        </Text>
      </div>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${words.notices.turnOff}: ${name}`}
        loading={turnOff.isPending}
        onClick={() => void turnOff.make({ id })}
      >
        {words.notices.turnOff}
      </Button>
    </Group>
  );
}
