import { Alert, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { Sentence } from '../../../src/platform/problems';
import { Outdated } from '../api/code';
import { Refusal } from '../api/refusal';
import { Warnings } from '../notify';
import { words } from '../words';
import { Problem } from './problem';
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

/** What the service warns of, before the change is made. */
export const FormWarning = ({ warnings }: { warnings: Sentence[] }) => (
  <Alert color="yellow" role="alert" tabIndex={-1}>
    <Text size="sm" fw={600}>
      {words.common.notSaved}
    </Text>
    <Warnings all={warnings} />
  </Alert>
);

/** An error message with the request id. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof Refusal ? error.requestId : null;
  return (
    <Problem error={error} retry={retry}>
      {requestId && <RequestId id={requestId} />}
    </Problem>
  );
}

const RequestId = ({ id }: { id: string }) => (
  <Text size="xs" c="dimmed">
    {words.refusals.requestId}: <CopyText text={id} />
  </Text>
);

/** Replaces a page that could not be shown; the frame around it stays. */
export function PageFailure({ error }: { error: unknown }) {
  const router = useRouter();
  const isSaid = error instanceof Refusal || error instanceof Outdated;
  return (
    <Failure error={isSaid ? error : new Error(words.refusals.page)} retry={() => void router.invalidate()} />
  );
}
