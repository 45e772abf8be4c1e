import { Modal, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { onSignedOut } from '../api/client';
import { words } from '../words';
import { SignInForm } from './sign-in-form';

/** The session ended in the middle of something: sign-in opens over the page, and the call that was refused is made again. */
export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    onSignedOut(() => {
      setOpen(true);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
    return () => onSignedOut(null);
  }, []);
  const onSignedIn = () => {
    setOpen(false);
    for (const go of waiting.current.splice(0)) go();
  };
  return (
    <Modal
      opened={isOpen}
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
