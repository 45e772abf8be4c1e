import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RouteOutput } from '../../api/client';
import { failureInWords } from '../../api/telling/failure-words';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { Dialog } from '../../parts/dialog';
import { GoTo } from '../../parts/go-to';
import { CopyBlock, CopyText } from '../../parts/values/copy';
import { Failure } from '../../parts/failure';
import { Facts, LoadingBlock } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words/all';
import { DeliveryBadge } from './delivery-badge';
import { curlOf, VerifySnippet } from './snippets';

type Delivery = RouteOutput<'GET stores/{storeId}/webhook/deliveries/{id}'>;

interface Props {
  id: string;
  url: string | null;
  onClose: () => void;
}

/** One delivery: the request, the response, and how to send and verify it by hand. */
export function DeliveryDrawer({ id, url, onClose }: Props) {
  const delivery = useRead(
    'GET stores/{storeId}/webhook/deliveries/{id}',
    { id },
    { refetchInterval: 5_000 },
  );
  return (
    <Dialog side onClose={onClose} size="xl" title={delivery.data?.event ?? words.webhooks.deliveries}>
      {delivery.error && <Failure error={delivery.error} />}
      {delivery.isPending && <LoadingBlock />}
      {delivery.data && <Details delivery={delivery.data} url={url} />}
    </Dialog>
  );
}

function Details({ delivery, url }: { delivery: Delivery; url: string | null }) {
  const resend = useChange('POST stores/{storeId}/webhook/deliveries/{id}/redeliver', {
    done: words.webhooks.resent(1),
  });
  const { id, event, attempts, body } = delivery;
  return (
    <Stack gap="lg">
      <DeliveryFacts {...delivery} />
      {url && body && (
        <Group>
          <Button loading={resend.isPending} onClick={() => void resend.make({ id })}>
            {words.webhooks.resend}
          </Button>
        </Group>
      )}
      <Part title={words.webhooks.attempts}>
        <Attempts attempts={attempts} />
      </Part>
      <Part title={words.webhooks.body}>
        {body ? (
          <CopyBlock text={JSON.stringify(body, null, 2)} label={words.webhooks.body} />
        ) : (
          <Text size="sm">{words.webhooks.noBody}</Text>
        )}
      </Part>
      {body && (
        <Part title={words.webhooks.byHand}>
          <CopyBlock text={curlOf({ id, event, body, url })} label={words.webhooks.byHand} />
        </Part>
      )}
      <Part title={words.webhooks.verify}>
        <VerifySnippet />
      </Part>
    </Stack>
  );
}

const DeliveryFacts = ({ id, orderId, status, nextAttemptAt, createdAt, requestId }: Delivery) => (
  <Facts
    facts={[
      [words.webhooks.state, <DeliveryBadge key="status" status={status} />],
      [words.orders.order, orderId && <GoTo to={`orders/${orderId}`}>#{orderId}</GoTo>],
      [words.webhooks.next, nextAttemptAt && <When iso={nextAttemptAt} short />],
      [words.fields.createdAt, <When key="created" iso={createdAt} />],
      [words.fields.id, <CopyText key="id" text={id} />],
      [words.refusals.requestId, requestId && <CopyText key="request" text={requestId} />],
    ]}
  />
);

function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  if (attempts.length === 0) return <Text size="sm">{words.webhooks.noAttempts}</Text>;
  return (
    <ol className="timeline">
      {attempts.map(({ at, statusCode, error, durationMs, response }, i) => (
        <li key={at}>
          <Text size="sm" fw={600}>
            {words.webhooks.outcome(statusCode ?? failureInWords(error ?? ''), durationMs)}
          </Text>
          <Text size="sm" c="dimmed">
            <When iso={at} />
            {statusCode !== null && error ? ` · ${failureInWords(error)}` : ''}
          </Text>
          {response && (
            <Code block mt={4} tabIndex={0} role="region" aria-label={`${words.webhooks.answer} ${i + 1}`}>
              {response}
            </Code>
          )}
        </li>
      ))}
    </ol>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="xs" component="section">
    <Title order={3}>{title}</Title>
    {children}
  </Stack>
);
