import { Alert, Button, Stack, Text } from '@mantine/core';
import { inWords } from '../api/in-words';
import { Refusal } from '../api/refusal';
import { words } from '../words';
import { CopyText } from './values/copy';

/**
 * The part of a refusal that no field shows, displayed above the fields. If the service failed, it has the
 * request id, for which support asks.
 */
export function FormFailure({ text, error }: { text: string; error: Error | null }) {
  const requestId = error instanceof Refusal && error.code === 'internal_error' ? error.requestId : null;
  return (
    <Alert color="red" role="alert" tabIndex={-1}>
      {text}
      {requestId && <RequestId id={requestId} />}
    </Alert>
  );
}

/** An error message with the request id. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof Refusal ? error.requestId : null;
  return (
    <Alert color="red" role="alert" title={words.refusals.title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{inWords(error)}</Text>
        {requestId && <RequestId id={requestId} />}
        {retry && (
          <Button variant="default" size="xs" onClick={retry}>
            {words.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

const RequestId = ({ id }: { id: string }) => (
  <Text size="xs" c="dimmed">
    {words.refusals.requestId}: <CopyText text={id} />
  </Text>
);

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
