import { Progress } from '@mantine/core';
import type { RouteOutput } from '../../api/client';
import { Badge, type Tone } from '../../parts/values/values';
import { words } from '../../words/all';

export type Campaign = RouteOutput<'GET stores/{storeId}/campaigns/{id}'>;
const TONES: Record<Campaign['status'], Tone> = { sending: 'blue', interrupted: 'amber', finished: 'green' };

/** The status of a campaign, with a progress bar while it is being sent. */
export function CampaignState({ campaign: { status, recipientCount, pending } }: { campaign: Campaign }) {
  const done = recipientCount === 0 ? 100 : Math.round((100 * (recipientCount - pending)) / recipientCount);
  return (
    <>
      <Badge tone={TONES[status]}>{words.campaigns.states[status]}</Badge>
      {status === 'sending' && <Progress value={done} mt={6} aria-label={words.campaigns.progress} />}
    </>
  );
}
