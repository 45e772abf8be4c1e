import { Anchor, Switch } from '@mantine/core';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { Section } from '../../parts/states';
import { language } from '../../words';
import { words } from '../../words/all';

type MemberChat = RouteOutput<'GET stores/{storeId}/notices'>['chat'];

/** The member's own chat with the store's bot. */
export function Chat({ bot, state }: MemberChat) {
  const link = useChange('POST stores/{storeId}/notices/chat');
  const unlink = useChange('DELETE stores/{storeId}/notices/chat', { done: words.notices.chatOff });
  // The link is told once: whoever leaves the page asks for another one.
  const invitation = state === 'waiting' ? link.data : undefined;
  const texts = {
    on: words.notices.on,
    off: words.notices.off,
    blocked: words.notices.chatBlocked,
    waiting: invitation ? words.notices.waiting : words.notices.off,
  };
  const toggle = () => void (state === 'on' ? unlink.make({}) : link.make({ language }));
  return (
    <Section title={words.notices.messenger} hint={words.notices.messengerHint}>
      <Switch
        label={words.notices.notifyChat}
        description={bot === null ? words.notices.noBot : texts[state]}
        checked={state === 'on'}
        disabled={bot === null || link.isPending || unlink.isPending}
        onChange={toggle}
      />
      {invitation && (
        <Anchor href={invitation.link} target="_blank" rel="noreferrer">
          {words.notices.openChat(bot ?? '')}
        </Anchor>
      )}
    </Section>
  );
}
