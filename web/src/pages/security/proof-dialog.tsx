import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/change';
import { refused } from '../../parts/forms/refused';
import { words } from '../../words';

interface Props {
  what: 'disable' | 'recovery-codes';
  onCodes?: (codes: string[]) => void;
  onClose: () => void;
}

/** Asks for a code before an action that makes the account less secure. */
export function ProofDialog({ what, onCodes, onClose }: Props) {
  const prove = useChange(`POST auth/second-factor/${what}`, {
    done: what === 'disable' ? words.security.turnedOff : undefined,
    refusals: 'form',
    onDone: (answer) => {
      onClose();
      if ('recoveryCodes' in answer) onCodes?.(answer.recoveryCodes);
    },
  });
  const [code, setCode] = useState('');
  const errors = refused(prove.error, { code });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void prove.make({ code: code.trim() });
  };
  const title = what === 'disable' ? words.security.turnOff : words.security.newCodes;
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Text size="sm">
            {what === 'disable' ? words.security.turnOffHint : words.security.newCodesHint}
          </Text>
          <TextInput
            label={words.signIn.code}
            required
            autoComplete="one-time-code"
            data-autofocus
            value={code}
            error={errors.of('code') ?? errors.rest}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" color={what === 'disable' ? 'red.9' : undefined} loading={prove.isPending}>
              {title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
