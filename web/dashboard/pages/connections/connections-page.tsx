import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { may } from '../../api/access';
import type { RouteOutput } from '../../api/client';
import { useList } from '../../api/queries';
import { useStore } from '../../api/store';
import { type Column, DataList } from '../../parts/lists/data-list';
import { ConfirmDialog } from '../../parts/dialogs';
import { GoToButton } from '../../parts/go-to';
import { groupsText } from '../../parts/inputs/rights';
import { PageHead } from '../../parts/states';
import { number } from '../../parts/values/format';
import { Money, When } from '../../parts/values/values';
import { words } from '../../words/all';

type Connection = RouteOutput<'GET stores/{storeId}/connections'>['items'][number];

const COLUMNS = (): Column<Connection>[] => [
  {
    key: 'app',
    label: words.connections.app,
    render: ({ appName }) => appName,
    below: ({ appHost, redirectHost }) => appHost ?? redirectHost,
  },
  { key: 'who', label: words.connections.who, render: ({ email }) => email },
  {
    key: 'scope',
    label: words.tokens.scope,
    isShort: true,
    render: ({ scope }) => words.tokens.scopes[scope],
  },
  { key: 'groups', label: words.groups.title, render: ({ groups }) => groupsText(groups), wideOnly: true },
  {
    key: 'limits',
    label: words.connections.limits,
    render: ({ dailyLimits }) => dailyLimits && <DailyLimits {...dailyLimits} />,
    wideOnly: true,
  },
  { key: 'used', label: words.tokens.lastUsed, render: ({ lastUsedAt }) => <When iso={lastUsedAt} short /> },
  {
    key: 'ends',
    label: words.connections.ends,
    render: ({ expiresAt }) => <When iso={expiresAt} short />,
    wideOnly: true,
  },
];

/** What the person who let the app in allows it in a day. */
const DailyLimits = ({ messages, bonus, refunds }: NonNullable<Connection['dailyLimits']>) => (
  <>
    {messages !== null && (
      <div>
        {words.connections.messages}: {number(messages)}
      </div>
    )}
    {bonus !== null && (
      <div>
        {words.connections.bonus}: <Money major={bonus} />
      </div>
    )}
    {refunds !== null && (
      <div>
        {words.connections.refunds}: <Money minor={refunds} />
      </div>
    )}
  </>
);

/** The apps to which people gave access by signing in. An owner sees everybody's, staff see their own. */
export default function ConnectionsPage() {
  const { role } = useStore();
  const query = useList('GET stores/{storeId}/connections', {});
  const toAgents = (
    <GoToButton mt="xs" to="agents">
      {words.pages.agents}
    </GoToButton>
  );
  return (
    <Stack>
      <PageHead
        title={words.pages.connections}
        hint={may(role, 'admin') ? words.connections.hint : words.connections.hintOfStaff}
      />
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        actions={(connection) => <EndButton {...connection} />}
        empty={{ title: words.connections.empty, hint: words.connections.emptyHint, action: toAgents }}
      />
    </Stack>
  );
}

function EndButton({ id, appName }: Connection) {
  const [isEnding, setEnding] = useState(false);
  const title = `${words.connections.end}: ${appName}`;
  return (
    <>
      <Button variant="default" size="compact-sm" aria-label={title} onClick={() => setEnding(true)}>
        {words.connections.end}
      </Button>
      {isEnding && (
        <ConfirmDialog
          title={title}
          submitLabel={words.connections.end}
          change="DELETE stores/{storeId}/connections/{id}"
          input={{ id }}
          done={words.connections.ended}
          onClose={() => setEnding(false)}
        >
          {words.connections.endHint}
        </ConfirmDialog>
      )}
    </>
  );
}
