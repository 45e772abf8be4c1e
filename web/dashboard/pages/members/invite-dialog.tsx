import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RouteOutput } from '../../api/client';
import { ALLOWED } from '../../api/generated/access';
import { useChange } from '../../api/change';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { inputsOf, useRow } from '../../parts/inputs/inputs-of';
import { GroupsChoice, ProofInput, useProof } from '../../parts/inputs/rights';
import { words } from '../../words/all';

export type NewInvitation = RouteOutput<'POST stores/{storeId}/members'>;
/** The least allowed first. */
const ROLES = Object.keys(ALLOWED).reverse() as (keyof typeof ALLOWED)[];
type Role = (typeof ROLES)[number];

interface Props {
  onInvited: (made: NewInvitation) => void;
  onClose: () => void;
}

export function InviteDialog({ onInvited, onClose }: Props) {
  const invite = useChange('POST stores/{storeId}/members', {
    refusals: 'form',
    onDone: (made) => {
      onClose();
      onInvited(made);
    },
  });
  const [values, change] = useRow({
    email: '',
    role: 'staff' as Role,
    groups: null as string[] | null,
  });
  const [typed, setTyped] = useState('');
  const { name: proofName, proof } = useProof(typed);
  const isOwner = values.role === 'owner';
  const submit = () =>
    void invite.make({
      email: values.email.trim(),
      role: values.role,
      ...(isOwner ? proof : { groups: values.groups }),
    });
  const typedValues = isOwner ? { ...values, [proofName]: typed } : values;
  return (
    <Dialog onClose={onClose} title={words.creates.member}>
      <Form values={typedValues} change={invite} submit={{ label: words.members.makeLink }} onSubmit={submit}>
        {(errorOf) => {
          const inputs = inputsOf(values, change, errorOf);
          return (
            <>
              <TextInput
                {...inputs.text('email')}
                label={words.signIn.email}
                type="email"
                required
                autoComplete="off"
                data-autofocus
              />
              <Radio.Group {...inputs.value('role')} label={words.members.role}>
                <Roles />
              </Radio.Group>
              {isOwner ? (
                <ProofInput name={proofName} value={typed} error={errorOf(proofName)} onChange={setTyped} />
              ) : (
                <GroupsChoice {...inputs.value('groups')} />
              )}
            </>
          );
        }}
      </Form>
    </Dialog>
  );
}

const Roles = () => (
  <Stack gap="xs" mt={6}>
    {ROLES.map((role) => (
      <Radio
        key={role}
        value={role}
        label={words.members.roles[role]}
        description={words.members.roleHints[role]}
      />
    ))}
  </Stack>
);
