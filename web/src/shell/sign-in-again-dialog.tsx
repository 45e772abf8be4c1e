import { Modal, Text } from '@mantine/core';
import { words } from '../words';
import { SignInForm } from './sign-in-form';

/** It cannot be closed without signing in. */
export function SignInAgainDialog({ onSignedIn }: { onSignedIn: () => void }) {
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={words.signIn.again}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="md">
        {words.signIn.againHint}
      </Text>
      <SignInForm onSignedIn={onSignedIn} />
    </Modal>
  );
}
