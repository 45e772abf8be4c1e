import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { call } from '../api/client';
import { FormFailure, inWords } from '../parts/failure';
import { words } from '../words';
import { Door } from './door';

/**
 * The target of the e-mailed link. Its secret part follows the #, so that it is sent only with the call
 * itself.
 */
export function ResetPasswordPage() {
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      call('POST auth/reset-password', { link: location.hash.slice(1), newPassword }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate(String(new FormData(event.currentTarget).get('newPassword')));
  };
  if (reset.isSuccess) {
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
