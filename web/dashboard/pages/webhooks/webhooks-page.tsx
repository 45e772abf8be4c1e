import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries';
import { SecretDialog } from '../../parts/dialogs';
import { Failure } from '../../parts/failure';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';
import { AddressForm, Endpoint } from './endpoint';
import { Deliveries } from './deliveries';
import { VerifySnippet } from './snippets';

/** The endpoint for order events, and the outcome of each delivery. */
export default function WebhooksPage() {
  const webhook = useRead('GET stores/{storeId}/webhook', {});
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Stack>
      <PageHead title={words.pages.webhooks} hint={words.webhooks.hint} />
      {webhook.error && <Failure error={webhook.error} retry={() => void webhook.refetch()} />}
      {webhook.isPending && <LoadingBlock lines={3} />}
      {webhook.data && !webhook.data.url && (
        <Section title={words.webhooks.endpoint} hint={words.webhooks.none}>
          <AddressForm onSecret={setSecret} />
        </Section>
      )}
      {webhook.data?.url && (
        <Endpoint webhook={{ ...webhook.data, url: webhook.data.url }} onSecret={setSecret} />
      )}
      {webhook.data && <Deliveries url={webhook.data.url} />}
      {secret && (
        <SecretDialog title={words.webhooks.secret} secret={secret} onClose={() => setSecret(null)}>
          <VerifySnippet />
        </SecretDialog>
      )}
    </Stack>
  );
}
