import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { call, type RouteOutput } from '../api/client';
import { queryClient } from '../api/queries';
import { useChange } from '../api/change';
import { Failure } from '../parts/failure';
import { Form } from '../parts/forms/form';
import { LoadingBlock } from '../parts/states';
import { words } from '../words';
import { Door, NewPassword } from './door';

const invitation = () => location.hash.slice(1);

/** What it may ask for is kept by the browser alone. */
const FIELDS = { password: undefined, code: undefined };

/**
 * The target of an invitation's link. A signed-in person joins with one click. Others sign in or choose a
 * password on the same page.
 */
export function AcceptInvitationPage() {
  const offer = useQuery({
    queryKey: ['invitation'],
    queryFn: () => call('POST auth/invitation', { invitation: invitation() }),
    retry: false,
  });
  const me = useQuery({ queryKey: ['me'], queryFn: () => call('GET me', {}), retry: false });
  if (offer.data && !me.isPending) return <Join offer={offer.data} knownAs={me.data?.email} />;
  return (
    <Door title={words.signIn.invitationTitle}>
      {offer.error ? (
        <>
          <Failure error={offer.error} />
          <Anchor renderRoot={(props) => <Link to="/" {...props} />}>{words.shell.home}</Anchor>
        </>
      ) : (
        <LoadingBlock />
      )}
    </Door>
  );
}

/** @param knownAs the address of the person, if they are signed in */
function Join({ offer, knownAs }: { offer: RouteOutput<'POST auth/invitation'>; knownAs?: string }) {
  const navigate = useNavigate();
  const join = useChange('POST auth/accept-invitation', {
    refusals: 'form',
    onDone: ({ storeId }) => {
      if (!storeId) return;
      queryClient.clear();
      void navigate({ to: `/${storeId}/overview`, replace: true });
    },
  });
  const submit = (typed: FormData) => {
    const filled = [...typed].filter(([, value]) => value !== '');
    void join.make({ invitation: invitation(), ...Object.fromEntries(filled) });
  };
  return (
    <Door title={words.signIn.invitationTo(offer.storeName)}>
      <Form values={FIELDS} change={join} isCheckedByBrowser gap="md" onSubmit={submit}>
        {(errorOf) => (
          <>
            {knownAs ? (
              <Text>{words.signIn.invitationAs(knownAs)}</Text>
            ) : (
              <>
                <Text size="sm">{words.signIn.invitationHint}</Text>
                <TextInput label={words.signIn.email} value={offer.email} readOnly autoComplete="username" />
                <NewPassword name="password" label={words.signIn.password} error={errorOf('password')} />
                {join.data?.codeRequired && (
                  <TextInput
                    {...{ name: 'code', label: words.signIn.code, autoComplete: 'one-time-code' }}
                    error={errorOf('code')}
                    required
                  />
                )}
              </>
            )}
            <Button type="submit" loading={join.isPending}>
              {words.signIn.join}
            </Button>
          </>
        )}
      </Form>
    </Door>
  );
}
