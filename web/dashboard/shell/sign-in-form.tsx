import { Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { useChange } from '../api/change';
import { Form } from '../parts/forms/form';
import { words } from '../words';

const Email = () => (
  <TextInput
    name="email"
    type="email"
    label={words.signIn.email}
    autoComplete="username"
    required
    autoFocus
  />
);

/** The e-mail address and password, and a code if the account has a second factor. */
export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [isLost, setLost] = useState(false);
  const [hasCode, setHasCode] = useState(false);
  const signIn = useChange('POST auth/sign-in', {
    refusals: 'form',
    onDone: ({ codeRequired }) => {
      if (!codeRequired) onSignedIn();
    },
  });
  if (isLost) return <LostPassword onBack={() => setLost(false)} />;
  const submit = (typed: FormData) => {
    const [email, password, code] = ['email', 'password', 'code'].map((name) =>
      String(typed.get(name) ?? ''),
    );
    setHasCode(code.trim() !== '');
    void signIn.make({ email, password, ...(code.trim() ? { code: code.trim() } : {}) });
  };
  return (
    <Form values={{}} change={signIn} isCheckedByBrowser gap="md" onSubmit={submit}>
      <Email />
      <PasswordInput name="password" label={words.signIn.password} autoComplete="current-password" required />
      {(signIn.data?.codeRequired || hasCode) && (
        <TextInput name="code" label={words.signIn.code} autoComplete="one-time-code" required autoFocus />
      )}
      <Button type="submit" loading={signIn.isPending} fullWidth>
        {words.signIn.submit}
      </Button>
      <Anchor component="button" type="button" size="sm" onClick={() => setLost(true)}>
        {words.signIn.forgot}
      </Anchor>
    </Form>
  );
}

/** Without e-mail only who runs the service can help, if they say where they are. */
function AskOperator({ contact }: { contact: string | null }) {
  return (
    <Text>
      {words.signIn.forgotNoMail}
      {contact && (
        <>
          {' '}
          {words.signIn.forgotAt}{' '}
          <Anchor underline="always" href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>
            {contact}
          </Anchor>
        </>
      )}
    </Text>
  );
}

function LostPassword({ onBack }: { onBack: () => void }) {
  const options = useQuery({ queryKey: ['sign-in options'], queryFn: () => call('GET auth/options', {}) });
  const request = useChange('POST auth/request-password-reset', { refusals: 'form' });
  const submit = (typed: FormData) => void request.make({ email: String(typed.get('email')) });
  return (
    <Form values={{}} change={request} isCheckedByBrowser gap="md" onSubmit={submit}>
      {request.data ? (
        <Text role="status">{words.signIn.resetRequested}</Text>
      ) : options.data?.passwordReset ? (
        <>
          <Email />
          <Button type="submit" loading={request.isPending}>
            {words.signIn.sendLink}
          </Button>
        </>
      ) : (
        options.data && <AskOperator contact={options.data.contact} />
      )}
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        {words.signIn.back}
      </Anchor>
    </Form>
  );
}
