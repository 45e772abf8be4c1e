import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { target } from '../../address';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { DataList } from '../../parts/lists/data-list';
import { number } from '../../parts/values/format';
import { PlusIcon } from '../../parts/icons';
import { PageHead } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words';
import { CampaignState } from './campaign-state';

const REFRESH_MS = 3_000;

export default function CampaignsPage() {
  const { id } = useStore();
  const query = usePages('GET stores/{storeId}/campaigns', {}, { refetchInterval: REFRESH_MS });
  const create = (
    <Button
      leftSection={<PlusIcon />}
      renderRoot={(props) => <Link {...target(id, 'campaigns/new')} {...props} />}
    >
      {words.campaigns.create}
    </Button>
  );
  return (
    <Stack>
      <PageHead title={words.campaigns.title}>{create}</PageHead>
      <DataList
        query={query}
        rowKey={(campaign) => campaign.id}
        rowName={({ name }) => name}
        to={(campaign) => `campaigns/${campaign.id}`}
        columns={[
          { key: 'name', label: words.fields.name, render: ({ name }) => name },
          {
            key: 'state',
            label: words.campaigns.state,
            render: (campaign) => <CampaignState campaign={campaign} />,
          },
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
          {
            key: 'createdAt',
            label: words.fields.createdAt,
            render: ({ createdAt }) => <When iso={createdAt} />,
          },
        ]}
        empty={{ title: words.campaigns.empty, hint: words.campaigns.emptyHint, action: create }}
      />
    </Stack>
  );
}
