import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import { useAccount } from '../../api/queries';
import { useReloadStores } from '../../api/reload-stores';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { words } from '../../words/all';

interface Props {
  member: { userId: string; email: string };
  onClose: () => void;
}

/**
 * Makes another member the owner in place of oneself. Asks for the password, or for a code if the account has
 * a second factor.
 */
export function TransferDialog({ member: { userId, email }, onClose }: Props) {
  const factor = useAccount('GET auth/second-factor');
  const [proof, setProof] = useState('');
  const reloadStores = useReloadStores();
  const transfer = useChange('POST stores/{storeId}/members/{userId}/transfer-ownership', {
    done: words.members.transferred(email),
    refusals: 'form',
    onDone: () => {
      setProof('');
      void reloadStores();
    },
  });
  const name = factor.data?.enabled ? 'code' : 'currentPassword';
  return (
    <Dialog onClose={onClose} title={words.members.transferTo(email)}>
      <Form
        {...{ values: { [name]: proof }, isDirty: proof !== '', change: transfer }}
        submit={{ label: words.members.transfer, color: 'red.9', disabled: factor.isPending }}
        onSubmit={() => void transfer.make({ userId, [name]: name === 'code' ? proof.trim() : proof })}
        onCancel={onClose}
      >
        {(errorOf) => (
          <>
            <Text size="sm">{words.members.transferHint}</Text>
            <PasswordInput
              label={name === 'code' ? words.signIn.code : words.security.currentPassword}
              required
              autoComplete={name === 'code' ? 'one-time-code' : 'current-password'}
              data-autofocus
              value={proof}
              error={errorOf(name)}
              onChange={({ currentTarget }) => setProof(currentTarget.value)}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
