import { Anchor } from '@mantine/core';
import { words } from '../../words';

/** A link that opens the messenger's chat with a shopper. */
export const ChatLink = ({ username }: { username: string }) => (
  <Anchor
    href={`https://t.me/${encodeURIComponent(username)}`}
    target="_blank"
    rel="noreferrer"
    size="sm"
    underline="always"
    title={words.shopper.write}
  >
    @{username}
  </Anchor>
);
