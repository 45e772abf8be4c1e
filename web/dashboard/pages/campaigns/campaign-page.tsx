import { Alert, Stack } from '@mantine/core';
import { useParam } from '../../address';
import type { RouteOutput } from '../../api/client';
import { useRead, usePages } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { Failure } from '../../parts/failure';
import { number } from '../../parts/values/format';
import { later } from '../../parts/lazy-component';
import { MessageBubble } from '../../parts/values/message-bubble';
import { Facts, LoadingBlock, PageHead, Section } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words/all';
import { type Campaign, CampaignState } from './campaign-state';

const REFRESH_MS = 2_000;

const RestLink = later(() => import('./rest-link').then((file) => file.RestLink));

type Failed = RouteOutput<'GET stores/{storeId}/campaigns/{id}/failures'>['items'][number];
const nameOf = ({ customerName, customerId }: Failed) => customerName ?? customerId;

const COLUMNS = (): Column<Failed>[] => [
  { key: 'customer', label: words.orders.shopper, render: nameOf },
  {
    key: 'reason',
    label: words.campaigns.reason,
    render: ({ reason }) => words.campaigns.reasons[reason],
  },
  { key: 'detail', label: words.common.details, render: ({ detail }) => detail ?? '–' },
];

/** One campaign: its progress, and who has not received it and why. */
export default function CampaignPage() {
  const id = useParam('campaignId');
  const campaign = useRead('GET stores/{storeId}/campaigns/{id}', { id }, { refetchInterval: REFRESH_MS });
  const failures = usePages('GET stores/{storeId}/campaigns/{id}/failures', { id });
  if (campaign.error) return <Failure error={campaign.error} retry={() => void campaign.refetch()} />;
  if (!campaign.data) return <LoadingBlock />;
  const { name, text, imageUrl, buttonText, pictureRefused } = campaign.data;
  return (
    <Stack>
      <PageHead title={name} />
      <div className="detail">
        <Stack>
          <Outcome campaign={campaign.data} />
          <DataList
            query={failures}
            rowKey={({ customerId }) => customerId}
            rowName={nameOf}
            to={({ customerId }) => `customers/${customerId}`}
            columns={COLUMNS()}
            empty={{ title: words.campaigns.noFailures }}
          />
        </Stack>
        <Section title={words.campaigns.message}>
          {pictureRefused && <Alert color="yellow">{words.bot.pictureRefused(pictureRefused)}</Alert>}
          <MessageBubble text={text} imageUrl={imageUrl} buttonText={buttonText} />
        </Section>
      </div>
    </Stack>
  );
}

function Outcome({ campaign }: { campaign: Campaign }) {
  const { recipientCount, pending, sent, failed, blocked, createdAt, finishedAt } = campaign;
  return (
    <Section title={words.campaigns.state}>
      <CampaignState campaign={campaign} />
      {campaign.status === 'interrupted' && <RestLink campaignId={campaign.id} />}
      <Facts
        facts={[
          [words.campaigns.recipients, number(recipientCount)],
          [words.campaigns.pending, number(pending)],
          [words.campaigns.sent, number(sent)],
          [words.campaigns.failed, number(failed)],
          [words.campaigns.blocked, number(blocked)],
          [words.fields.createdAt, <When iso={createdAt} />],
          [words.campaigns.finished, finishedAt && <When iso={finishedAt} />],
        ]}
      />
    </Section>
  );
}
