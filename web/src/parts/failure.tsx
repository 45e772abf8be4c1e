import { Alert, Button, Stack, Text } from '@mantine/core';
import { inWords } from '../api/in-words';
import { Refusal } from '../api/refusal';
import { words } from '../words';
import { CopyText } from './values/copy';

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
