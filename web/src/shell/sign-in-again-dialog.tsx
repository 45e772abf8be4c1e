import { Text } from '@mantine/core';
import { Dialog } from '../parts/dialog';
import { words } from '../words';
import { SignInForm } from './sign-in-form';

/** It cannot be closed without signing in. */
export function SignInAgainDialog({ onSignedIn }: { onSignedIn: () => void }) {
  return (
    <Dialog title={words.signIn.again}>
      <Text size="sm" mb="md">
        {words.signIn.againHint}
      </Text>
      <SignInForm onSignedIn={onSignedIn} />
    </Dialog>
  );
}
