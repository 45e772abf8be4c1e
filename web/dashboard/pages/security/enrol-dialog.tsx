import { Center, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import { CopyBlock } from '../../parts/values/copy';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { later } from '../../parts/lazy-component';
import { words } from '../../words/all';

/** A separate chunk, because few people ever open it. */
const QrCode = later(() => import('../../parts/values/qr-code').then((file) => file.QrCode));

interface Props {
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

/**
 * Asks for the password, then for the app's first code. The second factor is on only after that code was
 * correct.
 */
export function EnrolDialog({ onCodes, onClose }: Props) {
  const [currentPassword, setPassword] = useState('');
  const enrol = useChange('POST auth/second-factor/enrol', { refusals: 'form' });
  return (
    <Dialog onClose={onClose} title={words.security.turnOn}>
      {enrol.data ? (
        <FirstCode {...enrol.data} onCodes={onCodes} onClose={onClose} />
      ) : (
        <Form
          values={{ currentPassword }}
          change={enrol}
          restAt="currentPassword"
          submit={{ label: words.security.next }}
          onSubmit={() => void enrol.make({ currentPassword })}
        >
          {(errorOf) => (
            <PasswordInput
              label={words.security.currentPassword}
              required
              autoComplete="current-password"
              data-autofocus
              value={currentPassword}
              error={errorOf('currentPassword')}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          )}
        </Form>
      )}
    </Dialog>
  );
}

function FirstCode({ secret, uri, onCodes, onClose }: Props & { secret: string; uri: string }) {
  const [code, setCode] = useState('');
  const change = useChange('POST auth/second-factor/confirm', {
    refusals: 'form',
    onDone: ({ recoveryCodes }) => {
      onClose();
      onCodes(recoveryCodes);
    },
  });
  const submit = () => void change.make({ code: code.trim() });
  return (
    <Form values={{ code }} change={change} submit={{ label: words.security.turnOn }} onSubmit={submit}>
      {(errorOf) => (
        <>
          <Text size="sm">{words.security.scan}</Text>
          <Center mih={200}>
            <QrCode label={words.security.qr} text={uri} />
          </Center>
          <CopyBlock text={secret} label={words.security.secret} />
          <CopyBlock text={uri} label={words.security.link} />
          <TextInput
            label={words.security.firstCode}
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            value={code}
            error={errorOf('code')}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        </>
      )}
    </Form>
  );
}
