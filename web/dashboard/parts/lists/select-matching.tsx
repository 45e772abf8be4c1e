import { Button } from '@mantine/core';
import { useState } from 'react';
import { words } from '../../words';
import type { Selection } from './selection';

/** Chooses all records that match the filters of a list. */
export function SelectMatching({ isAll, selectAll }: Selection) {
  const [isReading, setReading] = useState(false);
  if (isAll) return null;
  const read = () => {
    setReading(true);
    void selectAll().finally(() => setReading(false));
  };
  return (
    <Button variant="default" loading={isReading} onClick={read}>
      {words.common.selectMatching}
    </Button>
  );
}
