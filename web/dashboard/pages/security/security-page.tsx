import { Button, Group, Stack, Title } from '@mantine/core';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { useAccount, wholeList } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { PageHead } from '../../parts/states';
import { browserName } from '../../parts/values/browser-name';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';
import { PasswordForm } from './password-form';
import { SecondFactor } from './second-factor';

type Session = RouteOutput<'GET auth/sessions'>['items'][number];

/** The person's own account, independent of the store. */
export default function SecurityPage() {
  const me = useAccount('GET me');
  return (
    <Stack>
      <PageHead title={words.pages.security} hint={me.data && words.security.as(me.data.email)} />
      <PasswordForm email={me.data?.email} />
      <SecondFactor />
      <SessionList />
    </Stack>
  );
}

const COLUMNS = (): Column<Session>[] => [
  { key: 'browser', label: words.security.device, render: ({ browser }) => browserName(browser) },
  { key: 'address', label: words.security.address, render: ({ address }) => address ?? '–' },
  {
    key: 'used',
    label: words.security.lastSeen,
    render: ({ lastUsedAt }) => <When iso={lastUsedAt} short />,
  },
  {
    key: 'since',
    label: words.security.since,
    render: ({ createdAt }) => <When iso={createdAt} />,
    wideOnly: true,
  },
];

function SessionList() {
  const query = useAccount('GET auth/sessions');
  const endOthers = useChange('POST auth/sessions/end-others', {
    done: ({ ended }) => words.security.ended(ended),
  });
  const list = wholeList<Session, typeof query>(query);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{words.security.sessions}</Title>
        {list.rows.length > 1 && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => void endOthers.make({})}>
            {words.security.endOthers}
          </Button>
        )}
      </Group>
      <DataList
        query={list}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        actions={(session) =>
          session.current ? <Badge tone="green">{words.security.here}</Badge> : <EndButton {...session} />
        }
        empty={{ title: words.common.none }}
      />
    </Stack>
  );
}

function EndButton({ id, browser }: Session) {
  const end = useChange('DELETE auth/sessions/{id}', { done: words.security.ended(1) });
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`${words.security.end}: ${browserName(browser)}`}
      onClick={() => void end.make({ id })}
    >
      {words.security.end}
    </Button>
  );
}
