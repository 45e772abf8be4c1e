import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { ConfirmDialog } from '../../parts/dialogs';
import { inWords } from '../../api/in-words';
import { refused } from '../../parts/forms/refused';
import { Facts, Section } from '../../parts/states';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words';

type Webhook = RouteOutput<'GET stores/{storeId}/webhook'> & { url: string };
type Asked = 'address' | 'rotate' | 'remove';
interface Secrets {
  onSecret: (secret: string) => void;
}

/** The endpoint's address and the actions on it. */
export function Endpoint({ webhook, onSecret }: { webhook: Webhook } & Secrets) {
  const { url, paused, updatedAt } = webhook;
  const test = useChange('POST stores/{storeId}/webhook/test');
  const pause = useChange('POST stores/{storeId}/webhook/pause');
  const resume = useChange('POST stores/{storeId}/webhook/resume');
  const [asked, setAsked] = useState<Asked | null>(null);
  const state = paused ? (
    <Badge tone="amber">{words.webhooks.paused}</Badge>
  ) : (
    <Badge tone="green">{words.webhooks.sending}</Badge>
  );
  return (
    <Section title={words.webhooks.endpoint} actions={state}>
      <Facts
        facts={[
          [words.webhooks.address, url],
          [words.fields.updatedAt, <When key="at" iso={updatedAt} />],
        ]}
      />
      {paused && <Text size="sm">{words.webhooks.pausedHint}</Text>}
      <Group gap="xs">
        <Button loading={test.isPending} onClick={() => void test.make({})}>
          {words.webhooks.test}
        </Button>
        {paused ? (
          <Button variant="default" loading={resume.isPending} onClick={() => void resume.make({})}>
            {words.webhooks.resume}
          </Button>
        ) : (
          <Button variant="default" loading={pause.isPending} onClick={() => void pause.make({})}>
            {words.webhooks.pause}
          </Button>
        )}
        <Button variant="default" onClick={() => setAsked('address')}>
          {words.webhooks.change}
        </Button>
        <Button variant="default" onClick={() => setAsked('rotate')}>
          {words.webhooks.rotate}
        </Button>
        <Button variant="default" onClick={() => setAsked('remove')}>
          {words.webhooks.remove}
        </Button>
      </Group>
      {test.data && !test.isPending && <Answer answer={test.data} />}
      {asked === 'address' && (
        <Modal opened onClose={() => setAsked(null)} title={words.webhooks.change}>
          <AddressForm url={url} onSecret={onSecret} onDone={() => setAsked(null)} />
        </Modal>
      )}
      {asked === 'rotate' && <RotateDialog onSecret={onSecret} onClose={() => setAsked(null)} />}
      {asked === 'remove' && <RemoveDialog url={url} onClose={() => setAsked(null)} />}
    </Section>
  );
}

function RotateDialog({ onSecret, onClose }: Secrets & { onClose: () => void }) {
  return (
    <ConfirmDialog
      title={words.webhooks.rotate}
      submitLabel={words.webhooks.rotate}
      change="POST stores/{storeId}/webhook/rotate-secret"
      input={{}}
      onDone={({ secret }) => onSecret(secret)}
      onClose={onClose}
    >
      {words.webhooks.rotateHint}
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
        <Text size="sm">{words.webhooks.outcome(statusCode ?? error ?? '', durationMs)}</Text>
      </Group>
      {statusCode !== null && error && <Text size="sm">{error}</Text>}
      {response && (
        <Code block tabIndex={0} role="region" aria-label={words.webhooks.answer}>
          {response}
        </Code>
      )}
    </Stack>
  );
}

/** Saves the address. The first save creates the secret. */
export function AddressForm({ url = '', onSecret, onDone }: Secrets & { url?: string; onDone?: () => void }) {
  const save = useChange('PUT stores/{storeId}/webhook', {
    done: words.common.saved,
    refusals: 'form',
    onDone: ({ secret }) => {
      if (secret) onSecret(secret);
      onDone?.();
    },
  });
  const [value, setValue] = useState(url);
  const errors = refused(save.error, { url: value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.make({ url: value.trim() });
  };
  const form = (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={words.webhooks.address}
          description={words.webhooks.addressHint}
          type="url"
          required
          maxLength={2048}
          value={value}
          error={errors.of('url') ?? (save.error && inWords(save.error))}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          data-autofocus={url !== '' || undefined}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {words.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
  return url === '' ? (
    <Section title={words.webhooks.endpoint} hint={words.webhooks.none}>
      {form}
    </Section>
  ) : (
    form
  );
}
