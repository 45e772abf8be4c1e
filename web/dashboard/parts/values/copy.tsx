import { ActionIcon, Code, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { words } from '../../words';
import { CheckIcon, CopyIcon } from '../icons';
import { Tip } from '../tip';

/** A button that copies a text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const name = copied ? words.common.copied : (label ?? words.common.copy);
  return (
    <Tip label={() => name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        className="above"
        aria-label={name}
        onClick={() => copy(text)}
      >
        {copied ? <CheckIcon /> : <CopyIcon />}
      </ActionIcon>
    </Tip>
  );
}

/** A short text on one line, with a button that copies it. */
export function CopyText({ text }: { text: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Code>{text}</Code>
      <CopyButton text={text} />
    </Group>
  );
}

/** A block of code, such as a command. */
export function CopyBlock({ text, label }: { text: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code block flex={1} tabIndex={0} role="region" aria-label={label}>
        {text}
      </Code>
      <CopyButton text={text} />
    </Group>
  );
}
