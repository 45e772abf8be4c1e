import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from '../../address';
import type { ScopeName } from '../../api/access';
import type { RouteOutput } from '../../api/client';
import { useList } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { ConfirmDialog, SecretDialog } from '../../parts/dialogs';
import { PlusIcon } from '../../parts/icons';
import { type NewToken, NewTokenDialog } from '../../parts/forms/new-token';
import { groupsText } from '../../parts/inputs/rights';
import { PageHead } from '../../parts/states';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';

type Token = RouteOutput<'GET stores/{storeId}/tokens'>['items'][number];

const COLUMNS = (): Column<Token>[] => [
  { key: 'name', label: words.tokens.name, render: ({ name }) => name },
  {
    key: 'scope',
    label: words.tokens.scope,
    render: ({ scope, groups }) => (
      <>
        {words.tokens.scopes[scope as ScopeName]}
        {groups && (
          <Text size="xs" c="dimmed">
            {groupsText(groups)}
          </Text>
        )}
      </>
    ),
  },
  { key: 'state', label: words.tokens.state, render: (token) => <TokenState {...token} /> },
  {
    key: 'expires',
    label: words.tokens.expires,
    render: ({ expiresAt }) => <When iso={expiresAt} short />,
  },
  { key: 'used', label: words.tokens.lastUsed, render: ({ lastUsedAt }) => <When iso={lastUsedAt} short /> },
  {
    key: 'created',
    label: words.fields.createdAt,
    render: ({ createdAt }) => <When iso={createdAt} short />,
    wideOnly: true,
  },
  {
    key: 'maker',
    label: words.tokens.madeBy,
    isShort: true,
    render: ({ createdByEmail }) => createdByEmail ?? '–',
    wideOnly: true,
  },
];

/** The API tokens of the store. A token itself is shown only once, because only its hash is stored. */
export default function TokensPage() {
  const [search, setSearch] = useSearch();
  const [created, setCreated] = useState<NewToken | null>(null);
  const query = useList('GET stores/{storeId}/tokens', {});
  const createButton = (
    <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
      {words.creates.token}
    </Button>
  );
  return (
    <Stack>
      <PageHead title={words.pages.tokens} hint={words.tokens.hint}>
        {createButton}
      </PageHead>
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        actions={(token) => token.revokedAt === null && <RevokeButton {...token} />}
        empty={{ title: words.tokens.empty, hint: words.tokens.emptyHint, action: createButton }}
      />
      {search.new && <NewTokenDialog onCreated={setCreated} onClose={() => setSearch({ new: null })} />}
      {created && (
        <SecretDialog
          title={words.tokens.made(created.name)}
          secret={created.token}
          onClose={() => setCreated(null)}
        />
      )}
    </Stack>
  );
}

function RevokeButton({ id, name }: Token) {
  const [isAsked, setAsked] = useState(false);
  const title = `${words.tokens.revoke}: ${name}`;
  return (
    <>
      <Button variant="default" size="compact-sm" aria-label={title} onClick={() => setAsked(true)}>
        {words.tokens.revoke}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={title}
          type={name}
          submitLabel={words.tokens.revoke}
          change="DELETE stores/{storeId}/tokens/{id}"
          input={{ id }}
          done={words.tokens.revoked}
          onClose={() => setAsked(false)}
        >
          {words.tokens.revokeHint}
        </ConfirmDialog>
      )}
    </>
  );
}

function TokenState({ revokedAt, expiresAt }: Token) {
  if (revokedAt !== null) return <Badge tone="grey">{words.tokens.revoked}</Badge>;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    return <Badge tone="amber">{words.tokens.expired}</Badge>;
  return <Badge tone="green">{words.tokens.works}</Badge>;
}
