import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { words } from '../../words/all';

interface Props {
  what: 'disable' | 'recovery-codes';
  onCodes?: (codes: string[]) => void;
  onClose: () => void;
}

/** Asks for a code before an action that makes the account less secure. */
export function ProofDialog({ what, onCodes, onClose }: Props) {
  const isOff = what === 'disable';
  const prove = useChange(`POST auth/second-factor/${what}`, {
    done: isOff ? words.security.turnedOff : undefined,
    refusals: 'form',
    onDone: (answer) => {
      onClose();
      if ('recoveryCodes' in answer) onCodes?.(answer.recoveryCodes);
    },
  });
  const [code, setCode] = useState('');
  const title = isOff ? words.security.turnOff : words.security.newCodes;
  return (
    <Dialog onClose={onClose} title={title}>
      <Form
        values={{ code }}
        change={prove}
        restAt="code"
        submit={{ label: title, color: isOff ? 'red.9' : undefined }}
        onSubmit={() => void prove.make({ code: code.trim() })}
      >
        {(errorOf) => (
          <>
            <Text size="sm">{isOff ? words.security.turnOffHint : words.security.newCodesHint}</Text>
            <TextInput
              label={words.signIn.code}
              required
              autoComplete="one-time-code"
              data-autofocus
              value={code}
              error={errorOf('code')}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
