import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/change';
import { FormFailure } from '../../parts/failure';
import { refused } from '../../parts/forms/refused';
import { Section } from '../../parts/states';
import { words } from '../../words';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordForm({ email }: { email: string | undefined }) {
  const [values, setValues] = useState(EMPTY);
  const change = useChange('POST auth/change-password', {
    done: words.security.passwordChanged,
    refusals: 'form',
    onDone: () => setValues(EMPTY),
  });
  const errors = refused(change.error, values);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change.make(values);
  };
  const field = (name: keyof typeof EMPTY) => ({
    required: true,
    value: values[name],
    error: errors.of(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setValues((all) => ({ ...all, [name]: currentTarget.value })),
  });
  return (
    <Section title={words.security.password} hint={words.security.passwordHint}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={420}>
          <FormFailure text={errors.rest} />
          {/* Password managers store the new password under this name. */}
          <input type="email" name="email" value={email ?? ''} readOnly hidden autoComplete="username" />
          <PasswordInput
            {...field('currentPassword')}
            label={words.security.currentPassword}
            autoComplete="current-password"
          />
          <PasswordInput
            {...field('newPassword')}
            label={words.signIn.newPassword}
            description={words.signIn.newPasswordHint}
            autoComplete="new-password"
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              {words.security.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
