import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client';
import { useChange } from '../api/change';
import { inWords } from '../api/in-words';
import { FormFailure } from '../parts/failure';
import { words } from '../words';

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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const code = String(form.get('code') ?? '').trim();
    setHasCode(code !== '');
    void signIn.make({
      email: String(form.get('email')),
      password: String(form.get('password')),
      ...(code ? { code } : {}),
    });
  };
  const needsCode = signIn.data?.codeRequired === true || hasCode;
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormFailure text={signIn.error && inWords(signIn.error)} />
        <TextInput
          name="email"
          type="email"
          label={words.signIn.email}
          autoComplete="username"
          required
          autoFocus
        />
        <PasswordInput
          name="password"
          label={words.signIn.password}
          autoComplete="current-password"
          required
        />
        {needsCode && (
          <TextInput name="code" label={words.signIn.code} autoComplete="one-time-code" required autoFocus />
        )}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {words.signIn.submit}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={() => setLost(true)}>
          {words.signIn.forgot}
        </Anchor>
      </Stack>
    </form>
  );
}

function LostPassword({ onBack }: { onBack: () => void }) {
  const options = useQuery({ queryKey: ['sign-in options'], queryFn: () => call('GET auth/options', {}) });
  const request = useChange('POST auth/request-password-reset', { refusals: 'form' });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void request.make({ email: String(new FormData(event.currentTarget).get('email')) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormFailure text={request.error && inWords(request.error)} />
        {request.data ? (
          <Text role="status">{words.signIn.resetRequested}</Text>
        ) : options.data?.passwordReset ? (
          <>
            <TextInput
              name="email"
              type="email"
              label={words.signIn.email}
              autoComplete="username"
              required
              autoFocus
            />
            <Button type="submit" loading={request.isPending}>
              {words.signIn.sendLink}
            </Button>
          </>
        ) : (
          options.data && <Text>{words.signIn.forgotNoMail}</Text>
        )}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {words.signIn.back}
        </Anchor>
      </Stack>
    </form>
  );
}
