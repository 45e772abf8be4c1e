import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../api/change';
import type { CallName, Conditions, InputOf, OutputOf } from '../api/client';
import { isUndoable } from '../api/undo';
import { words } from '../words/all';
import { Dialog } from './dialog';
import { Form } from './forms/form';
import { CopyBlock } from './values/copy';

interface AskProps {
  title: string;
  /** Explains what will happen. */
  children: ReactNode;
  /** The text that has to be typed to confirm. Without it a click is enough. */
  type?: string;
  submitLabel: string;
  /** The colour of the button. Default: red, for actions that cannot be undone. */
  tone?: 'red' | 'indigo';
  /** What is being made once it is confirmed; a refusal is shown. */
  change: { isPending: boolean; error: Error | null };
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation. */
export function AskDialog(props: AskProps) {
  const { title, children, type, submitLabel, tone = 'red', change, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const color = tone === 'red' ? 'red.9' : tone;
  return (
    <Dialog onClose={onClose} title={title}>
      <Form
        values={{}}
        change={change}
        submit={{ label: submitLabel, color, disabled: type !== undefined && typed.trim() !== type }}
        onSubmit={onConfirm}
        onCancel={onClose}
      >
        <Text size="sm" component="div">
          {children}
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
      </Form>
    </Dialog>
  );
}

interface ConfirmProps<Name extends CallName> extends Pick<
  AskProps,
  'title' | 'type' | 'submitLabel' | 'tone' | 'onClose'
> {
  children?: ReactNode;
  /** The change that is made when it is confirmed, and its input. */
  change: Name;
  input: InputOf<Name>;
  conditions?: Conditions;
  /** What is said when it is made. */
  done?: string;
  /** Given the answer. */
  onDone?: (data: OutputOf<Name>) => void;
}

/** Asks for confirmation before a change, makes it, and shows a refusal. */
export function ConfirmDialog<Name extends CallName>(props: ConfirmProps<Name>) {
  const { children, input, conditions, done, onDone, ...asked } = props;
  const change = useChange(props.change, { done, refusals: 'form' });
  const confirm = async () => {
    const data = await change.make(input, conditions);
    if (!data) return;
    props.onClose();
    onDone?.(data);
  };
  return (
    <AskDialog {...asked} change={change} onConfirm={() => void confirm()}>
      {children ?? (isUndoable(props.change) ? words.confirm.undoable : words.confirm.irreversible)}
    </AskDialog>
  );
}

interface SecretProps {
  title: string;
  secret: string;
  /** What to do with it. */
  hint?: string;
  children?: ReactNode;
  onClose: () => void;
}

/**
 * A secret that the service returns only once. The dialog closes only when the person confirms having stored
 * it.
 */
export function SecretDialog({ title, secret, hint = words.secret.once, children, onClose }: SecretProps) {
  const [saved, setSaved] = useState(false);
  return (
    <Dialog title={title} size="lg">
      <Stack gap="sm">
        <Text size="sm">{hint}</Text>
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
    </Dialog>
  );
}
