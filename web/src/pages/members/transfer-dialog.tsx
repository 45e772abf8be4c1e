import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/change';
import { useAccount } from '../../api/queries';
import { FormFailure } from '../../parts/failure';
import { refused } from '../../parts/forms/refused';
import { words } from '../../words';

/**
 * Makes another member the owner in place of oneself. Asks for the password, or for a code if the account has
 * a second factor.
 */
export function TransferDialog({
  member,
  onClose,
}: {
  member: { userId: string; email: string };
  onClose: () => void;
}) {
  const factor = useAccount('GET auth/second-factor');
  const client = useQueryClient();
  const router = useRouter();
  const transfer = useChange('POST stores/{storeId}/members/{userId}/transfer-ownership', {
    done: words.members.transferred(member.email),
    refusals: 'form',
    // Reloads the store list with the role of staff, who cannot see the members page.
    onDone: () =>
      void client
        .invalidateQueries({ queryKey: ['stores'], refetchType: 'all' })
        .then(() => router.invalidate()),
  });
  const [proof, setProof] = useState('');
  const name = factor.data?.enabled ? 'code' : 'currentPassword';
  const errors = refused(transfer.error, { [name]: proof });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = name === 'code' ? proof.trim() : proof;
    void transfer.make({ userId: member.userId, [name]: given });
  };
  return (
    <Modal opened onClose={onClose} title={words.members.transferTo(member.email)}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <FormFailure text={errors.rest} />
          <Text size="sm">{words.members.transferHint}</Text>
          <PasswordInput
            label={name === 'code' ? words.signIn.code : words.security.currentPassword}
            required
            autoComplete={name === 'code' ? 'one-time-code' : 'current-password'}
            data-autofocus
            value={proof}
            error={errors.of(name)}
            onChange={({ currentTarget }) => setProof(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button type="submit" color="red.9" loading={transfer.isPending} disabled={factor.isPending}>
              {words.members.transfer}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
