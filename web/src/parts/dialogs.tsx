import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { words } from '../words';
import { CopyBlock } from './values/copy';
import { Failure } from './failure';

interface ConfirmProps {
  title: string;
  /** Explains what will happen. */
  children?: ReactNode;
  /** The text that has to be typed to confirm. Without it a click is enough. */
  type?: string;
  submitLabel: string;
  /** The colour of the button. Default: red, for actions that cannot be undone. */
  tone?: 'red' | 'indigo';
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone, and shows a refusal. */
export function ConfirmDialog({
  title,
  children,
  type,
  submitLabel,
  tone = 'red',
  onConfirm,
  onClose,
}: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (caught) {
      setError(caught as Error);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          {error && <Failure error={error} />}
          <Text size="sm" component="div">
            {children ?? words.confirm.irreversible}
          </Text>
          {type !== undefined && (
            <TextInput
              label={words.confirm.type(type)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button
              type="submit"
              color={tone === 'red' ? 'red.9' : tone}
              loading={busy}
              disabled={type !== undefined && typed.trim() !== type}
            >
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/**
 * A secret that the service returns only once. The dialog closes only when the person confirms having stored
 * it.
 */
export function SecretDialog({
  title,
  secret,
  children,
  onClose,
}: {
  title: string;
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}) {
  const [saved, setSaved] = useState(false);
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack gap="sm">
        <Text size="sm">{words.secret.once}</Text>
        <CopyBlock text={secret} label={title} />
        {children}
        <Checkbox
          label={words.secret.done}
          checked={saved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!saved} onClick={onClose}>
            {words.common.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
