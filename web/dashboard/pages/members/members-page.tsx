import { Button, Menu, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from '../../address';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { useAccount, useList } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { SecretDialog } from '../../parts/dialogs';
import { PlusIcon } from '../../parts/icons';
import { RowMenu } from '../../parts/menus/row-menu';
import { PageHead } from '../../parts/states';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';
import { groupsText } from '../../parts/inputs/rights';
import { GroupsDialog, RemoveDialog, RoleDialog } from './rights-dialogs';
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
      <PageHead title={words.pages.members} hint={words.members.hint}>
        <Button leftSection={<PlusIcon />} onClick={() => setSearch({ new: '1' })}>
          {words.creates.member}
        </Button>
      </PageHead>
      <Members />
      <Invitations />
      {search.new && <InviteDialog onInvited={setInvited} onClose={() => setSearch({ new: null })} />}
      {invited && (
        <SecretDialog
          title={words.members.link(invited.email)}
          secret={invited.invitation}
          hint={words.secret.shownOnce}
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
    key: 'groups',
    label: words.groups.title,
    render: ({ groups }) => groupsText(groups),
  },
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
  const [asked, setAsked] = useState<'role' | 'groups' | 'transfer' | 'remove' | null>(null);
  const isStaff = member.role === 'staff';
  const shared = { member, onClose: () => setAsked(null) };
  return (
    <>
      <RowMenu name={member.email}>
        <Menu.Item onClick={() => setAsked('role')}>
          {isStaff ? words.members.makeOwner : words.members.makeStaff}
        </Menu.Item>
        {isStaff && <Menu.Item onClick={() => setAsked('groups')}>{words.groups.change}</Menu.Item>}
        <Menu.Item onClick={() => setAsked('transfer')}>{words.members.transfer}</Menu.Item>
        <Menu.Item color="red" onClick={() => setAsked('remove')}>
          {words.common.remove}
        </Menu.Item>
      </RowMenu>
      {asked === 'role' && <RoleDialog {...shared} />}
      {asked === 'groups' && <GroupsDialog {...shared} />}
      {asked === 'transfer' && <TransferDialog {...shared} />}
      {asked === 'remove' && <RemoveDialog {...shared} />}
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
