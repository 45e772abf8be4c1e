import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { call } from '../api/client';
import { queryClient } from '../api/queries';
import { useChange } from '../api/change';
import { inWords } from '../api/in-words';
import { Failure, FormFailure } from '../parts/failure';
import { LoadingBlock } from '../parts/states';
import { words } from '../words';
import { Door } from './door';

/**
 * The target of an invitation's link. A signed-in person joins with one click. Others sign in or choose a
 * password on the same page.
 */
export function AcceptInvitationPage() {
  const invitation = location.hash.slice(1);
  const navigate = useNavigate();
  const offer = useQuery({
    queryKey: ['invitation'],
    queryFn: () => call('POST auth/invitation', { invitation }),
    retry: false,
  });
  const me = useQuery({ queryKey: ['me'], queryFn: () => call('GET me', {}), retry: false });
  const join = useChange('POST auth/accept-invitation', {
    refusals: 'form',
    onDone: ({ storeId }) => {
      if (!storeId) return;
      queryClient.clear();
      void navigate({ to: `/${storeId}/overview`, replace: true });
    },
  });
  if (offer.error) {
    return (
      <Door title={words.signIn.invitationTitle}>
        <Failure error={offer.error} />
        <Anchor renderRoot={(props) => <Link to="/" {...props} />}>{words.shell.home}</Anchor>
      </Door>
    );
  }
  if (!offer.data || me.isPending) {
    return (
      <Door title={words.signIn.invitationTitle}>
        <LoadingBlock />
      </Door>
    );
  }
  const { storeName, email } = offer.data;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const filled = ['password', 'code'].flatMap((name) =>
      form.get(name) ? [[name, String(form.get(name))]] : [],
    );
    void join.make({ invitation, ...Object.fromEntries(filled) });
  };
  return (
    <Door title={words.signIn.invitationTo(storeName)}>
      <form onSubmit={submit}>
        <Stack>
          <FormFailure text={join.error && inWords(join.error)} />
          {me.data ? (
            <Text>{words.signIn.invitationAs(me.data.email)}</Text>
          ) : (
            <>
              <Text size="sm">{words.signIn.invitationHint}</Text>
              <TextInput label={words.signIn.email} value={email} readOnly autoComplete="username" />
              <PasswordInput
                name="password"
                label={words.signIn.password}
                description={words.signIn.newPasswordHint}
                autoComplete="new-password"
                required
                autoFocus
              />
              {join.data?.codeRequired && (
                <TextInput name="code" label={words.signIn.code} autoComplete="one-time-code" required />
              )}
            </>
          )}
          <Button type="submit" loading={join.isPending}>
            {words.signIn.join}
          </Button>
        </Stack>
      </form>
    </Door>
  );
}
