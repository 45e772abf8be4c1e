import { Button, FileButton, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { UploadIcon } from '../../parts/icons';
import { LoadingRows, PageHead } from '../../parts/states';
import { words } from '../../words';
import { Preview } from './import/preview';
import { readFile } from './import/read-file';
import type { Plan } from './import/work';

type Read = { plan: Plan } | { error: Error } | 'reading';

/** Imports products, prices and stock from a file like the export, after a look at what would change. */
export default function ImportPage() {
  const store = useStore();
  const reset = useRef<() => void>(null);
  const [read, setRead] = useState<Read>();
  const [count, setCount] = useState(0);
  const choose = (file: File | null) => {
    if (!file) return;
    setRead('reading');
    setCount((before) => before + 1);
    readFile(file, store)
      .then(
        (plan) => setRead({ plan }),
        (error: Error) => setRead({ error }),
      )
      .finally(() => reset.current?.());
  };
  return (
    <Stack maw={960}>
      <PageHead title={words.imports.title} hint={words.imports.hint} />
      <div>
        <FileButton accept=".csv,text/csv,text/plain" resetRef={reset} onChange={choose}>
          {(props) => (
            <Button {...props} leftSection={<UploadIcon size={16} />} loading={read === 'reading'}>
              {words.imports.choose}
            </Button>
          )}
        </FileButton>
      </div>
      {read === 'reading' && <LoadingRows />}
      {typeof read === 'object' && 'error' in read && <Failure error={read.error} />}
      {typeof read === 'object' && 'plan' in read && <Preview key={count} plan={read.plan} />}
    </Stack>
  );
}
