import { Button, Checkbox, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../api/change';
import type { CallName, Conditions, InputOf, OutputOf } from '../api/client';
import { isUndoable } from '../api/undo';
import { words } from '../words';
import { Dialog } from './dialog';
import { Form } from './forms/form';
import { CopyBlock } from './values/copy';

interface ConfirmProps<Name extends CallName> {
  title: string;
  /** Explains what will happen. */
  children?: ReactNode;
  /** The text that has to be typed to confirm. Without it a click is enough. */
  type?: string;
  submitLabel: string;
  /** The colour of the button. Default: red, for actions that cannot be undone. */
  tone?: 'red' | 'indigo';
  /** The change that is made when it is confirmed, and its input; or several, made one after the other. */
  change: Name;
  input: InputOf<Name> | InputOf<Name>[];
  conditions?: Conditions;
  /** What is said when it is made. */
  done?: string;
  /** Given the answer, to several inputs the last one. */
  onDone?: (data: OutputOf<Name>) => void;
  onClose: () => void;
}

/** Asks for confirmation before a change, makes it, and shows a refusal. */
export function ConfirmDialog<Name extends CallName>(props: ConfirmProps<Name>) {
  const { title, children, type, submitLabel, tone = 'red', onClose } = props;
  const [typed, setTyped] = useState('');
  // What was made before a refusal is not made again.
  const [made, setMade] = useState(0);
  const inputs = [props.input].flat() as InputOf<Name>[];
  const change = useChange(props.change, { done: props.done, refusals: 'form' });
  const confirm = async () => {
    for (let i = made; i < inputs.length; i++) {
      const data = await change.make(inputs[i], props.conditions);
      if (!data) return;
      setMade(i + 1);
      if (i + 1 === inputs.length) {
        onClose();
        props.onDone?.(data);
      }
    }
  };
  const color = tone === 'red' ? 'red.9' : tone;
  return (
    <Dialog onClose={onClose} title={title}>
      <Form
        values={{}}
        change={change}
        submit={{ label: submitLabel, color, disabled: type !== undefined && typed.trim() !== type }}
        onSubmit={() => void confirm()}
        onCancel={onClose}
      >
        <Text size="sm" component="div">
          {children ?? (isUndoable(props.change) ? words.confirm.undoable : words.confirm.irreversible)}
        </Text>
        {inputs.length > 1 && made > 0 && (
          <Progress value={(100 * made) / inputs.length} aria-label={title} />
        )}
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
