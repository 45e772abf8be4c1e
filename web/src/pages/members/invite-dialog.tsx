import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { RouteOutput } from '../../api/client';
import { ALLOWED } from '../../api/generated/access';
import { useChange } from '../../api/change';
import { FormFailure } from '../../parts/failure';
import { refused } from '../../parts/forms/refused';
import { words } from '../../words';

export type NewInvitation = RouteOutput<'POST stores/{storeId}/members'>;
/** The least allowed first. */
const ROLES = Object.keys(ALLOWED).reverse() as (keyof typeof ALLOWED)[];
type Role = (typeof ROLES)[number];

export function InviteDialog({
  onInvited,
  onClose,
}: {
  onInvited: (made: NewInvitation) => void;
  onClose: () => void;
}) {
  const invite = useChange('POST stores/{storeId}/members', {
    refusals: 'form',
    onDone: (made) => {
      onClose();
      onInvited(made);
    },
  });
  const [values, setValues] = useState({ email: '', role: 'staff' as Role });
  const errors = refused(invite.error, values);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void invite.make({ ...values, email: values.email.trim() });
  };
  return (
    <Modal opened onClose={onClose} title={words.members.invite}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <FormFailure text={errors.rest} />
          <TextInput
            label={words.signIn.email}
            type="email"
            required
            autoComplete="off"
            data-autofocus
            value={values.email}
            error={errors.of('email')}
            onChange={({ currentTarget }) => setValues((all) => ({ ...all, email: currentTarget.value }))}
          />
          <Radio.Group
            label={words.members.role}
            value={values.role}
            onChange={(role) => setValues((all) => ({ ...all, role: role as Role }))}
          >
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
          </Radio.Group>
          <Group justify="flex-end">
            <Button type="submit" loading={invite.isPending}>
              {words.members.makeLink}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
