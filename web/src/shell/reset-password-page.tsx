import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useChange } from '../api/change';
import { inWords } from '../api/in-words';
import { FormFailure } from '../parts/failure';
import { words } from '../words';
import { Door } from './door';

/**
 * The target of the e-mailed link. Its secret part follows the #, so that it is sent only with the call
 * itself.
 */
export function ResetPasswordPage() {
  const reset = useChange('POST auth/reset-password', { refusals: 'form' });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const newPassword = String(new FormData(event.currentTarget).get('newPassword'));
    void reset.make({ link: location.hash.slice(1), newPassword });
  };
  if (reset.data) {
    return (
      <Door title={words.signIn.resetTitle}>
        <Text role="status">{words.signIn.resetDone}</Text>
        <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />}>{words.signIn.title}</Anchor>
      </Door>
    );
  }
  return (
    <Door title={words.signIn.resetTitle}>
      <form onSubmit={submit}>
        <Stack>
          <FormFailure text={reset.error && inWords(reset.error)} />
          <PasswordInput
            name="newPassword"
            label={words.signIn.newPassword}
            description={words.signIn.newPasswordHint}
            autoComplete="new-password"
            required
            autoFocus
          />
          <Button type="submit" loading={reset.isPending}>
            {words.signIn.resetSubmit}
          </Button>
        </Stack>
      </form>
    </Door>
  );
}
