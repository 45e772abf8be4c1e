import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useAccount } from '../../api/queries';
import { words } from '../../words';

/** Whoever makes an owner proves again who they are: by the password, or by a code where the account has a second factor. */
export function useProof() {
  const factor = useAccount('GET auth/second-factor');
  const [text, setText] = useState('');
  const name = factor.data?.enabled ? 'code' : 'currentPassword';
  const isCode = name === 'code';
  return {
    name,
    isPending: factor.isPending,
    given: { [name]: isCode ? text.trim() : text },
    input: (error?: string, isFirst = false) => (
      <PasswordInput
        label={isCode ? words.signIn.code : words.security.currentPassword}
        required
        autoComplete={isCode ? 'one-time-code' : 'current-password'}
        data-autofocus={isFirst || undefined}
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    ),
  };
}
