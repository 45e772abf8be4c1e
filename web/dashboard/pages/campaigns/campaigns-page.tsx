import { Stack } from '@mantine/core';
import type { RouteOutput } from '../../api/client';
import { usePages } from '../../api/queries';
import { GoToButton } from '../../parts/go-to';
import { type Column, DataList } from '../../parts/lists/data-list';
import { number } from '../../parts/values/format';
import { PlusIcon } from '../../parts/icons';
import { PageHead } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words/all';
import { CampaignState } from './campaign-state';

const REFRESH_MS = 3_000;

type Row = RouteOutput<'GET stores/{storeId}/campaigns'>['items'][number];

const COLUMNS = (): Column<Row>[] => [
  { key: 'name', label: words.fields.name, render: ({ name }) => name },
  { key: 'state', label: words.campaigns.state, render: (campaign) => <CampaignState campaign={campaign} /> },
  {
    key: 'recipients',
    label: words.campaigns.recipients,
    align: 'end',
    render: ({ recipientCount }) => number(recipientCount),
  },
  { key: 'sent', label: words.campaigns.sent, align: 'end', render: ({ sent }) => number(sent) },
  {
    key: 'missed',
    label: words.campaigns.missed,
    align: 'end',
    render: ({ failed, blocked }) => number(failed + blocked),
  },
  { key: 'createdAt', label: words.fields.createdAt, render: ({ createdAt }) => <When iso={createdAt} /> },
];

export default function CampaignsPage() {
  const query = usePages('GET stores/{storeId}/campaigns', {}, { refetchInterval: REFRESH_MS });
  const create = (
    <GoToButton to="campaigns/new" leftSection={<PlusIcon />}>
      {words.creates.campaign}
    </GoToButton>
  );
  return (
    <Stack>
      <PageHead title={words.pages.campaigns}>{create}</PageHead>
      <DataList
        query={query}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        to={({ id }) => `campaigns/${id}`}
        columns={COLUMNS()}
        empty={{ title: words.campaigns.empty, hint: words.campaigns.emptyHint, action: create }}
      />
    </Stack>
  );
}
