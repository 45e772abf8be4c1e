import { Button, Checkbox, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RouteOutput } from '../../api/client';
import { failureInWords } from '../../api/telling/failure-words';
import { useChange } from '../../api/change';
import { ConfirmDialog } from '../../parts/dialogs';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { Facts, Section } from '../../parts/states';
import { dateTime } from '../../parts/values/format';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';

type Webhook = RouteOutput<'GET stores/{storeId}/webhook'> & { url: string };
interface Secrets {
  onSecret: (secret: string) => void;
}

/** The endpoint's address and the actions on it. */
export function Endpoint({ webhook, onSecret }: { webhook: Webhook } & Secrets) {
  const { url, paused, updatedAt, failingSince, lastError, lastSuccessAt } = webhook;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const state = paused ? words.webhooks.paused : words.webhooks.sending;
  const failing =
    failingSince && words.webhooks.notArriving(dateTime(failingSince), failureInWords(lastError ?? ''));
  return (
    <Section
      title={words.webhooks.endpoint}
      actions={<Badge tone={paused || failing ? 'amber' : 'green'}>{failing ?? state}</Badge>}
    >
      <Facts
        facts={[
          [words.webhooks.address, url],
          [words.webhooks.lastArrived, lastSuccessAt && <When key="arrived" iso={lastSuccessAt} />],
          [words.fields.updatedAt, <When key="at" iso={updatedAt} />],
        ]}
      />
      {paused && <Text size="sm">{words.webhooks.pausedHint}</Text>}
      <Actions paused={paused} onAsk={setAsked} />
      {asked === 'address' && (
        <Dialog onClose={close} title={words.webhooks.change}>
          <AddressForm url={url} onSecret={onSecret} onDone={close} />
        </Dialog>
      )}
      {asked === 'rotate' && <RotateDialog onSecret={onSecret} onClose={close} />}
      {asked === 'remove' && <RemoveDialog url={url} onClose={close} />}
    </Section>
  );
}

const ASKED = { address: 'change', rotate: 'rotate', remove: 'remove' } as const;
type Asked = keyof typeof ASKED;

function Actions({ paused, onAsk }: { paused: boolean; onAsk: (asked: Asked) => void }) {
  const test = useChange('POST stores/{storeId}/webhook/test');
  const toggle = useChange(`POST stores/{storeId}/webhook/${paused ? 'resume' : 'pause'}`);
  return (
    <>
      <Group gap="xs">
        <Button loading={test.isPending} onClick={() => void test.make({})}>
          {words.webhooks.test}
        </Button>
        <Button variant="default" loading={toggle.isPending} onClick={() => void toggle.make({})}>
          {paused ? words.webhooks.resume : words.webhooks.pause}
        </Button>
        {(Object.keys(ASKED) as Asked[]).map((asked) => (
          <Button key={asked} variant="default" onClick={() => onAsk(asked)}>
            {words.webhooks[ASKED[asked]]}
          </Button>
        ))}
      </Group>
      {test.data && !test.isPending && <Answer answer={test.data} />}
    </>
  );
}

function RotateDialog({ onSecret, onClose }: Secrets & { onClose: () => void }) {
  const [overlap, setOverlap] = useState(false);
  return (
    <ConfirmDialog
      title={words.webhooks.rotate}
      submitLabel={words.webhooks.rotate}
      change="POST stores/{storeId}/webhook/rotate-secret"
      input={{ overlap }}
      onDone={({ secret }) => onSecret(secret)}
      onClose={onClose}
    >
      <Stack gap="sm">
        {words.webhooks.rotateHint}
        <Checkbox
          label={words.webhooks.overlap}
          description={words.webhooks.overlapHint}
          checked={overlap}
          onChange={({ currentTarget }) => setOverlap(currentTarget.checked)}
        />
      </Stack>
    </ConfirmDialog>
  );
}

function RemoveDialog({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={words.webhooks.remove}
      type={new URL(url).hostname}
      submitLabel={words.webhooks.remove}
      change="DELETE stores/{storeId}/webhook"
      input={{}}
      done={words.webhooks.removed}
      onClose={onClose}
    >
      {words.webhooks.removeHint}
    </ConfirmDialog>
  );
}

/** The endpoint's response to the test event. */
function Answer({ answer }: { answer: RouteOutput<'POST stores/{storeId}/webhook/test'> }) {
  const { delivered, statusCode, durationMs, error, response } = answer;
  return (
    <Stack gap={6} role="status">
      <Group gap="xs">
        <Badge tone={delivered ? 'green' : 'red'}>
          {delivered ? words.webhooks.testTaken : words.webhooks.testRefused}
        </Badge>
        <Text size="sm">{words.webhooks.outcome(statusCode ?? failureInWords(error ?? ''), durationMs)}</Text>
      </Group>
      {statusCode !== null && error && <Text size="sm">{failureInWords(error)}</Text>}
      {response && (
        <Code block tabIndex={0} role="region" aria-label={words.webhooks.answer}>
          {response}
        </Code>
      )}
    </Stack>
  );
}

interface AddressProps extends Secrets {
  url?: string;
  onDone?: () => void;
}

/** Saves the address. The first save creates the secret. */
export function AddressForm({ url = '', onSecret, onDone }: AddressProps) {
  const [value, setValue] = useState(url);
  const save = useChange('PUT stores/{storeId}/webhook', {
    done: words.common.saved,
    refusals: 'form',
    onDone: ({ secret }) => {
      if (secret) onSecret(secret);
      onDone?.();
    },
  });
  return (
    <Form
      values={{ url: value }}
      change={save}
      restAt="url"
      submit={{ label: words.common.save }}
      onSubmit={() => void save.make({ url: value.trim() })}
    >
      {(errorOf) => (
        <TextInput
          label={words.webhooks.address}
          description={words.webhooks.addressHint}
          type="url"
          required
          maxLength={2048}
          value={value}
          error={errorOf('url')}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          data-autofocus={url !== '' || undefined}
        />
      )}
    </Form>
  );
}
