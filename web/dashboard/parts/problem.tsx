import { Alert, Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Outdated } from '../api/code';
import { inWords } from '../api/telling/in-words';
import { words } from '../words';
import { hasUnsaved } from './forms/unsaved';

interface Props {
  error: Error;
  retry?: () => void;
  children?: ReactNode;
}

/** An error message in place of something. A new build is loaded, unless that loses typed work. */
export function Problem({ error, retry, children }: Props) {
  const isOutdated = error instanceof Outdated;
  useEffect(() => {
    if (isOutdated && !hasUnsaved()) loadNewBuild();
  }, [isOutdated]);
  const again = isOutdated ? () => location.reload() : retry;
  return (
    <Alert color="red" role="alert" title={words.refusals.title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{inWords(error)}</Text>
        {children}
        {again && (
          <Button variant="default" size="xs" onClick={again}>
            {isOutdated ? words.common.reload : words.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** At most once in 30 s: while an update is under way, two builds may answer by turns. */
function loadNewBuild() {
  if (Date.now() - Number(sessionStorage.getItem('reloaded') ?? 0) < 30_000) return;
  sessionStorage.setItem('reloaded', String(Date.now()));
  location.reload();
}
