import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useChange } from '../../api/change';
import { Form } from '../../parts/forms/form';
import { type Inputs, inputsOf, useRow } from '../../parts/inputs/inputs-of';
import { Section } from '../../parts/states';
import { words } from '../../words/all';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordForm({ email }: { email: string | undefined }) {
  const [values, set] = useRow(EMPTY);
  const change = useChange('POST auth/change-password', {
    done: words.security.passwordChanged,
    refusals: 'form',
    onDone: () => set(EMPTY),
  });
  return (
    <Section title={words.security.password} hint={words.security.passwordHint}>
      <Stack maw={420}>
        <Form values={values} change={change} onSubmit={() => void change.make(values)}>
          {(errorOf) => (
            <>
              {/* Password managers store the new password under this name. */}
              <input type="email" name="email" value={email ?? ''} readOnly hidden autoComplete="username" />
              <Passwords {...inputsOf(values, set, errorOf)} />
              <Group>
                <Button type="submit" loading={change.isPending}>
                  {words.security.changePassword}
                </Button>
              </Group>
            </>
          )}
        </Form>
      </Stack>
    </Section>
  );
}

const Passwords = ({ text }: Inputs<typeof EMPTY>) => (
  <>
    <PasswordInput
      {...text('currentPassword')}
      label={words.security.currentPassword}
      required
      autoComplete="current-password"
    />
    <PasswordInput
      {...text('newPassword')}
      label={words.signIn.newPassword}
      required
      description={words.signIn.newPasswordHint}
      autoComplete="new-password"
    />
  </>
);
