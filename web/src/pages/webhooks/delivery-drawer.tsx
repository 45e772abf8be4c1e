import { Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { target } from '../../address';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { CopyBlock, CopyText } from '../../parts/values/copy';
import { Failure } from '../../parts/failure';
import { Facts, LoadingBlock } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words';
import { DeliveryBadge } from './delivery-badge';
import { curlOf, VerifySnippet } from './snippets';

type Delivery = RouteOutput<'GET stores/{storeId}/webhook/deliveries/{id}'>;

/** One delivery: the request, the response, and how to send and verify it by hand. */
export function DeliveryDrawer({
  id,
  url,
  onClose,
}: {
  id: string;
  url: string | null;
  onClose: () => void;
}) {
  const delivery = useRead(
    'GET stores/{storeId}/webhook/deliveries/{id}',
    { id },
    { refetchInterval: 5_000 },
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={delivery.data?.event ?? words.webhooks.deliveries}
    >
      {delivery.error && <Failure error={delivery.error} />}
      {delivery.isPending && <LoadingBlock />}
      {delivery.data && <Details delivery={delivery.data} url={url} />}
    </Drawer>
  );
}

function Details({ delivery, url }: { delivery: Delivery; url: string | null }) {
  const store = useStore();
  const resend = useChange('POST stores/{storeId}/webhook/deliveries/{id}/redeliver', {
    done: words.webhooks.resent(1),
  });
  const { id, orderId, event, status, attempts, nextAttemptAt, createdAt, body } = delivery;
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [words.webhooks.state, <DeliveryBadge key="status" status={status} />],
          [words.orders.order, orderId && <Link {...target(store.id, `orders/${orderId}`)}>#{orderId}</Link>],
          [words.webhooks.next, nextAttemptAt && <When iso={nextAttemptAt} short />],
          [words.fields.createdAt, <When key="created" iso={createdAt} />],
          [words.fields.id, <CopyText key="id" text={id} />],
        ]}
      />
      {url && body && (
        <Group>
          <Button loading={resend.isPending} onClick={() => void resend.make({ id })}>
            {words.webhooks.resend}
          </Button>
        </Group>
      )}
      <Part title={words.webhooks.attempts}>
        {attempts.length === 0 ? (
          <Text size="sm">{words.webhooks.noAttempts}</Text>
        ) : (
          <ol className="timeline">
            {attempts.map((attempt, i) => (
              <li key={attempt.at}>
                <Text size="sm" fw={600}>
                  {words.webhooks.outcome(attempt.statusCode ?? attempt.error ?? '', attempt.durationMs)}
                </Text>
                <Text size="sm" c="dimmed">
                  <When iso={attempt.at} />
                  {attempt.statusCode !== null && attempt.error ? ` · ${attempt.error}` : ''}
                </Text>
                {attempt.response && (
                  <Code
                    block
                    mt={4}
                    tabIndex={0}
                    role="region"
                    aria-label={`${words.webhooks.answer} ${i + 1}`}
                  >
                    {attempt.response}
                  </Code>
                )}
              </li>
            ))}
          </ol>
        )}
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

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="xs" component="section">
    <Title order={3}>{title}</Title>
    {children}
  </Stack>
);
