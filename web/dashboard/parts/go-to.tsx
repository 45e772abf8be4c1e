import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { target } from '../address';
import { useStore } from '../api/store';

/** A link to an address below the open store: `orders/1042`. */
export function GoTo({ to, ...props }: AnchorProps & { to: string; children: React.ReactNode }) {
  const { id } = useStore();
  return (
    <Anchor
      size="sm"
      underline="always"
      {...props}
      renderRoot={(root) => <Link {...target(id, to)} {...root} />}
    />
  );
}

/** The same, drawn as a button. */
export function GoToButton({ to, ...props }: ButtonProps & { to: string; children: React.ReactNode }) {
  const { id } = useStore();
  return <Button {...props} renderRoot={(root) => <Link {...target(id, to)} {...root} />} />;
}
