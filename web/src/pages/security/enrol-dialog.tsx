import { Button, Center, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useChange } from '../../api/change';
import { CopyBlock } from '../../parts/values/copy';
import { FormFailure } from '../../parts/failure';
import { refused } from '../../parts/forms/refused';
import { words } from '../../words';

/** A separate chunk, because few people ever open it. */
const QrCode = lazy(() => import('./qr-code'));

interface Props {
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

/**
 * Asks for the password, then for the app's first code. The second factor is on only after that code was
 * correct.
 */
export function EnrolDialog({ onCodes, onClose }: Props) {
  const enrol = useChange('POST auth/second-factor/enrol', { refusals: 'form' });
  return (
    <Modal opened onClose={onClose} title={words.security.turnOn}>
      {enrol.data ? (
        <FirstCode {...enrol.data} onCodes={onCodes} onClose={onClose} />
      ) : (
        <Password
          error={enrol.error}
          busy={enrol.isPending}
          onSubmit={(currentPassword) => void enrol.make({ currentPassword })}
        />
      )}
    </Modal>
  );
}

function Password({
  error,
  busy,
  onSubmit,
}: {
  error: Error | null;
  busy: boolean;
  onSubmit: (password: string) => void;
}) {
  const [currentPassword, setPassword] = useState('');
  const errors = refused(error, { currentPassword });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(currentPassword);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <PasswordInput
          label={words.security.currentPassword}
          required
          autoComplete="current-password"
          data-autofocus
          value={currentPassword}
          error={errors.of('currentPassword') ?? errors.rest}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {words.security.next}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function FirstCode({ secret, uri, onCodes, onClose }: Props & { secret: string; uri: string }) {
  const confirm = useChange('POST auth/second-factor/confirm', {
    refusals: 'form',
    onDone: ({ recoveryCodes }) => {
      onClose();
      onCodes(recoveryCodes);
    },
  });
  const [code, setCode] = useState('');
  const errors = refused(confirm.error, { code });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void confirm.make({ code: code.trim() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">{words.security.scan}</Text>
        <Center mih={200}>
          <Suspense fallback={null}>
            <QrCode text={uri} />
          </Suspense>
        </Center>
        <CopyBlock text={secret} label={words.security.secret} />
        <CopyBlock text={uri} label={words.security.link} />
        <FormFailure text={errors.rest} />
        <TextInput
          label={words.security.firstCode}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          value={code}
          error={errors.of('code')}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            {words.security.turnOn}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
