import { Checkbox, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import type { RouteOutput } from '../../api/client';
import { useList } from '../../api/queries';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { GroupsChoice, ProofInput, useProof } from '../../parts/inputs/rights';
import { words } from '../../words/all';

type Member = RouteOutput<'GET stores/{storeId}/members'>['items'][number];
type Token = RouteOutput<'GET stores/{storeId}/tokens'>['items'][number];

interface Props {
  member: Member;
  onClose: () => void;
}

/** Makes a member an owner, or an owner staff. */
export function RoleDialog({ member: { userId, email, role }, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [keepTokens, setKeep] = useState(false);
  const { name, proof, isPending } = useProof(typed);
  const made = useTokensOf(userId).live.filter(({ scope }) => scope === 'admin');
  const other = role === 'staff' ? 'owner' : 'staff';
  const change = useChange('PUT stores/{storeId}/members/{userId}', {
    done: words.common.saved,
    refusals: 'form',
    onDone: onClose,
  });
  const label = other === 'owner' ? words.members.makeOwner : words.members.makeStaff;
  return (
    <Dialog onClose={onClose} title={`${label}: ${email}`}>
      <Form
        {...{ values: { [name]: typed }, isDirty: typed !== '', change, onCancel: onClose }}
        submit={{ label, disabled: isPending }}
        onSubmit={() =>
          void change.make({ userId, role: other, ...proof, ...(other === 'staff' ? { keepTokens } : {}) })
        }
      >
        {(errorOf) => (
          <Stack gap="sm">
            {other === 'staff' && (
              <>
                <Text size="sm">{words.members.makeStaffHint}</Text>
                <TokenList tokens={made} />
                <KeepTokens label={words.members.keepAdmin} isKept={keepTokens} onChange={setKeep} />
              </>
            )}
            <ProofInput {...{ name, value: typed, error: errorOf(name), onChange: setTyped }} />
          </Stack>
        )}
      </Form>
    </Dialog>
  );
}

/** Changes to what a member of staff is narrowed. */
export function GroupsDialog({ member, onClose }: Props) {
  const [groups, setGroups] = useState(member.groups);
  const change = useChange('PUT stores/{storeId}/members/{userId}', {
    done: words.common.saved,
    refusals: 'form',
    onDone: onClose,
  });
  return (
    <Dialog onClose={onClose} title={`${words.groups.title}: ${member.email}`}>
      <Form
        {...{ values: { groups }, change, onCancel: onClose }}
        submit={{ label: words.common.save }}
        onSubmit={() => void change.make({ userId: member.userId, groups })}
      >
        {(errorOf) => <GroupsChoice value={groups} error={errorOf('groups')} onChange={setGroups} />}
      </Form>
    </Dialog>
  );
}

/** Removes a member, and says which tokens of theirs still work. */
export function RemoveDialog({ member: { userId, email, role }, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [keepTokens, setKeep] = useState(false);
  const { name, proof, isPending } = useProof(typed);
  const isOwner = role === 'owner';
  const tokens = useTokensOf(userId);
  const change = useChange('DELETE stores/{storeId}/members/{userId}', {
    done: words.members.removed,
    refusals: 'form',
    onDone: onClose,
  });
  return (
    <Dialog onClose={onClose} title={`${words.common.remove}: ${email}`}>
      <Form
        {...{ values: isOwner ? { [name]: typed } : {}, isDirty: typed !== '', change, onCancel: onClose }}
        submit={{ label: words.common.remove, color: 'red.9', disabled: isPending || tokens.isPending }}
        onSubmit={() => void change.make({ userId, keepTokens, ...(isOwner ? proof : {}) })}
      >
        {(errorOf) => (
          <Stack gap="sm">
            <Text size="sm">{words.members.removeHint}</Text>
            {tokens.live.length > 0 && (
              <>
                <Text size="sm">{words.members.theirTokens}</Text>
                <TokenList tokens={tokens.live} />
                <KeepTokens label={words.members.keepTokens} isKept={keepTokens} onChange={setKeep} />
              </>
            )}
            {isOwner && <ProofInput {...{ name, value: typed, error: errorOf(name), onChange: setTyped }} />}
          </Stack>
        )}
      </Form>
    </Dialog>
  );
}

/** The tokens that a member made and that work. */
function useTokensOf(userId: string): { live: Token[]; isPending: boolean } {
  const { data, isPending } = useList('GET stores/{storeId}/tokens', {});
  const live = (data?.items ?? []).filter((token) => token.createdBy === userId && isLive(token));
  return { live, isPending };
}

const TokenList = ({ tokens }: { tokens: Token[] }) => (
  <List size="sm">
    {tokens.map(({ id, name, scope }) => (
      <List.Item key={id}>{`${name} (${words.tokens.scopes[scope]})`}</List.Item>
    ))}
  </List>
);

function KeepTokens(props: { label: string; isKept: boolean; onChange: (isKept: boolean) => void }) {
  const { label, isKept, onChange } = props;
  return (
    <Checkbox
      label={label}
      checked={isKept}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

const isLive = ({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string | null }) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
