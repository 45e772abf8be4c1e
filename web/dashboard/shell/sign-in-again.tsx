import { useEffect, useRef, useState } from 'react';
import { onSignedOut } from '../api/client';
import { later } from '../parts/lazy-component';

const Dialog = later(() => import('./sign-in-again-dialog').then((file) => file.SignInAgainDialog));

/**
 * Opens the sign-in form over the page when the session has ended. Afterwards the refused call is repeated.
 */
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
  return isOpen && <Dialog onSignedIn={onSignedIn} />;
}
