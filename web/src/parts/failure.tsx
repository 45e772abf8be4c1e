import { Alert, Button, Stack, Text } from '@mantine/core';
import { Refusal } from '../api/refusal';
import { words } from '../words';
import { CopyText } from './copy';

/** A refusal in words that a shop owner can use. The service's own text names the field and the limit, so it is kept where we have none. */
export function inWords(error: Error): string {
  const { refusals } = words;
  if (!(error instanceof Refusal)) return error.message;
  if (error.code === 'unreachable') return refusals.unreachable;
  if (error.code === 'internal_error') return refusals.internal_error;
  if (error.code === 'rate_limited') return refusals.rate_limited(error.retryAfter ?? 60);
  return error.message;
}

const RULES: [RegExp, (match: RegExpExecArray) => string][] = [
  [/^is required/, () => words.refusals.required],
  // Before the rule of lengths, which the text names too: most who read it have not typed thousands of characters.
  [/URL/, () => words.refusals.url],
  [/of (\d+) to (\d+) characters/, ([, min, max]) => words.refusals.length(Number(min), Number(max))],
  [/at most (\d+) characters/, ([, max]) => words.refusals.tooLong(Number(max))],
  [/at least (\d+) characters/, ([, min]) => words.refusals.tooShort(Number(min))],
  [/integer of at least (-?[\d.]+)/, ([, min]) => `${words.refusals.whole} ${words.refusals.atLeast(min)}`],
  [/must be an integer/, () => words.refusals.whole],
  [/number of at least (-?[\d.]+)/, ([, min]) => words.refusals.atLeast(min)],
  [/must be a number/, () => words.refusals.number],
];

/** What is wrong with one field, in the owner's words where the service's text is of a kind that we know. */
export function fieldInWords(text: string): string {
  for (const [pattern, say] of RULES) {
    const match = pattern.exec(text);
    if (match) return say(match);
  }
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a form was refused for and no field of it shows, above the fields. */
export function FormFailure({ text }: { text: string | null }) {
  return (
    text !== null && (
      <Alert color="red" role="alert">
        {text}
      </Alert>
    )
  );
}

/** What went wrong, with the id that support asks for. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof Refusal ? error.requestId : null;
  return (
    <Alert color="red" role="alert" title={words.refusals.title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{inWords(error)}</Text>
        {requestId && (
          <Text size="xs" c="dimmed">
            {words.refusals.requestId}: <CopyText text={requestId} />
          </Text>
        )}
        {retry && (
          <Button variant="default" size="xs" onClick={retry}>
            {words.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** In place of a page that failed. What it needs, its code or who is signed in, may be there when it is loaded again. */
export function PageFailure({ error }: { error: unknown }) {
  return <Failure error={error instanceof Refusal ? error : new Error(words.refusals.page)} retry={() => location.reload()} />;
}
