import { Alert, Button, Stack, Text } from '@mantine/core';
import { Refusal } from '../api/refusal';
import { words } from '../words';
import { CopyText } from './values/copy';

/**
 * The text of a refusal for a shop owner. Where we have no better one, the service's own text is kept,
 * because it names the field and the limit.
 */
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
  // This rule comes before the one about lengths, because its text names a length too, which is rarely the
  // problem.
  [/URL/, () => words.refusals.url],
  [/of (\d+) to (\d+) characters/, ([, min, max]) => words.refusals.length(Number(min), Number(max))],
  [/at most (\d+) characters/, ([, max]) => words.refusals.tooLong(Number(max))],
  [/at least (\d+) characters/, ([, min]) => words.refusals.tooShort(Number(min))],
  [/integer of at least (-?[\d.]+)/, ([, min]) => `${words.refusals.whole} ${words.refusals.atLeast(min)}`],
  [/must be an integer/, () => words.refusals.whole],
  [/number of at least (-?[\d.]+)/, ([, min]) => words.refusals.atLeast(min)],
  [/must be a number/, () => words.refusals.number],
];

/** The error of one field, in an owner's words if the service's text matches a known rule. */
export function fieldInWords(text: string): string {
  for (const [pattern, say] of RULES) {
    const match = pattern.exec(text);
    if (match) return say(match);
  }
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The part of a refusal that no field shows, displayed above the fields. */
export function FormFailure({ text }: { text: string | null }) {
  return (
    text !== null && (
      <Alert color="red" role="alert">
        {text}
      </Alert>
    )
  );
}

/** An error message with the request id, for which support asks. */
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

/**
 * Replaces a page that could not be loaded. Loading again may help, for example if its code or the session
 * was missing.
 */
export function PageFailure({ error }: { error: unknown }) {
  return (
    <Failure
      error={error instanceof Refusal ? error : new Error(words.refusals.page)}
      retry={() => location.reload()}
    />
  );
}
