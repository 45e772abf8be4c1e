import { Button, Menu, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from '../../address';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { useAccount, useList } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { ConfirmDialog, SecretDialog } from '../../parts/dialogs';
import { PlusIcon } from '../../parts/icons';
import { RowMenu } from '../../parts/lists/resource';
import { PageHead } from '../../parts/states';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words';
import { InviteDialog, type NewInvitation } from './invite-dialog';
import { TransferDialog } from './transfer-dialog';

type Member = RouteOutput<'GET stores/{storeId}/members'>['items'][number];
type Invitation = RouteOutput<'GET stores/{storeId}/invitations'>['items'][number];

const RoleBadge = ({ role }: { role: Member['role'] }) => (
  <Badge tone={role === 'owner' ? 'violet' : 'grey'}>{words.members.roles[role]}</Badge>
);

/** The members of the store, and the open invitations. */
export default function MembersPage() {
  const [search, setSearch] = useSearch();
  const [invited, setInvited] = useState<NewInvitation | null>(null);
  return (
    <Stack>
      <PageHead title={words.members.title} hint={words.members.hint}>
        <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
          {words.members.invite}
        </Button>
      </PageHead>
      <Members />
      <Invitations />
      {search.new && <InviteDialog onInvited={setInvited} onClose={() => setSearch({ new: null })} />}
      {invited && (
        <SecretDialog
          title={words.members.link(invited.email)}
          secret={invited.invitation}
          onClose={() => setInvited(null)}
        >
          <Text size="sm">{invited.emailed ? words.members.emailed : words.members.notEmailed}</Text>
        </SecretDialog>
      )}
    </Stack>
  );
}

const COLUMNS = (me: string | undefined): Column<Member>[] => [
  { key: 'email', label: words.signIn.email, render: ({ email }) => email },
  { key: 'role', label: words.members.role, render: ({ role }) => <RoleBadge role={role} /> },
  {
    key: 'you',
    label: words.members.you,
    render: ({ userId }) => (userId === me ? words.common.yes : '–'),
  },
  { key: 'since', label: words.members.since, render: ({ createdAt }) => <When iso={createdAt} /> },
];

function Members() {
  const query = useList('GET stores/{storeId}/members', {});
  const me = useAccount('GET me').data?.id;
  return (
    <DataList
      query={query}
      columns={COLUMNS(me)}
      rowKey={({ userId }) => userId}
      actions={(member) => member.userId !== me && <MemberMenu member={member} />}
      empty={{ title: words.common.none }}
    />
  );
}

function MemberMenu({ member }: { member: Member }) {
  const { userId, email, role } = member;
  const { make } = useChange('PUT stores/{storeId}/members/{userId}', { done: words.common.saved });
  const [asked, setAsked] = useState<'transfer' | 'remove' | null>(null);
  const close = () => setAsked(null);
  const other = role === 'staff' ? 'owner' : 'staff';
  return (
    <>
      <RowMenu name={email}>
        <Menu.Item onClick={() => void make({ userId, role: other })}>
          {other === 'owner' ? words.members.makeOwner : words.members.makeStaff}
        </Menu.Item>
        <Menu.Item onClick={() => setAsked('transfer')}>{words.members.transfer}</Menu.Item>
        <Menu.Item color="red" onClick={() => setAsked('remove')}>
          {words.common.remove}
        </Menu.Item>
      </RowMenu>
      {asked === 'transfer' && <TransferDialog member={member} onClose={close} />}
      {asked === 'remove' && (
        <ConfirmDialog
          title={`${words.common.remove}: ${email}`}
          type={email}
          submitLabel={words.common.remove}
          change="DELETE stores/{storeId}/members/{userId}"
          input={{ userId }}
          done={words.members.removed}
          onClose={close}
        >
          {words.members.removeHint}
        </ConfirmDialog>
      )}
    </>
  );
}

function Invitations() {
  const query = useList('GET stores/{storeId}/invitations', {});
  const withdraw = useChange('DELETE stores/{storeId}/invitations/{id}', {
    done: words.members.withdrawn,
  });
  const columns: Column<Invitation>[] = [
    { key: 'email', label: words.signIn.email, render: ({ email }) => email },
    { key: 'role', label: words.members.role, render: ({ role }) => <RoleBadge role={role} /> },
    {
      key: 'expires',
      label: words.tokens.expires,
      render: ({ expiresAt }) => <When iso={expiresAt} short />,
    },
  ];
  return (
    <>
      <Title order={2}>{words.members.invitations}</Title>
      <DataList
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        actions={({ id, email }) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`${words.members.withdraw}: ${email}`}
            onClick={() => void withdraw.make({ id })}
          >
            {words.members.withdraw}
          </Button>
        )}
        empty={{ title: words.members.noInvitations }}
      />
    </>
  );
}
