import { Text } from '@mantine/core';
import { Dialog } from '../parts/dialog';
import { words } from '../words/all';
import { SignInForm } from './sign-in-form';

/** It cannot be closed without signing in. */
export function SignInAgainDialog({ onSignedIn }: { onSignedIn: () => void }) {
  return (
    <Dialog title={words.signInAgain.title}>
      <Text size="sm" mb="md">
        {words.signInAgain.hint}
      </Text>
      <SignInForm onSignedIn={onSignedIn} />
    </Dialog>
  );
}
