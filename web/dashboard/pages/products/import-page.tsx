import { Button, FileButton, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FileChoices } from '../../../../packages/import/src/file/table';
import type { Plan } from '../../../../packages/import/src/planning/plan';
import { readStored } from '../../../../packages/import/src/planning/read-stored';
import type { Stored } from '../../../../packages/import/src/planning/stored';
import type { Settings } from '../../../../packages/import/src/reading/line';
import type { Mapping } from '../../../../packages/import/src/reading/mapping';
import { type Store, useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { UploadIcon } from '../../parts/icons';
import { LoadingRows, PageHead } from '../../parts/states';
import { timeZone } from '../../parts/values/time-zone';
import { words } from '../../words/all';
import { ColumnsStep } from './import/columns-step';
import { keepChoices, keptChoices } from './import/kept-choices';
import { Preview } from './import/preview';
import { Questions } from './import/questions';
import { Reader } from './import/reader';
import { callerOf } from './import/use-import';
import type { Head } from './import/worker';
import './import/import.css';

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.xls,.ods,text/csv,text/plain';

/** Imports products, prices and stock from any shop's file, after a look at what would change. */
export default function ImportPage() {
  const reset = useRef<() => void>(null);
  const work = useFile();
  const { reader, head, mapping, settings, plan, error, isBusy, isStarted } = work;
  return (
    <Stack maw={960}>
      <PageHead title={words.pages.imports} hint={words.imports.hint} />
      <div>
        <FileButton
          accept={ACCEPTED}
          resetRef={reset}
          onChange={(file) => {
            if (file) void work.open(file).finally(() => reset.current?.());
          }}
        >
          {(props) => (
            <Button {...props} leftSection={<UploadIcon size={16} />} loading={isBusy && !head}>
              {words.imports.choose}
            </Button>
          )}
        </FileButton>
      </div>
      {error && <Failure error={error} />}
      {head && !plan && (
        <ColumnsStep
          {...{ head, mapping, isBusy }}
          onMapping={work.setMapping}
          onFile={(choices) => void work.readAgain(choices)}
          onContinue={() => void work.preview()}
        />
      )}
      {isBusy && plan === undefined && <LoadingRows />}
      {plan && reader && (
        <>
          {!isStarted && (
            <>
              <div>
                <Button variant="default" onClick={work.backToColumns}>
                  {words.imports.back}
                </Button>
              </div>
              <Questions plan={plan} settings={settings} onSettings={(chosen) => void work.preview(chosen)} />
            </>
          )}
          <Preview
            key={work.planned}
            {...{ plan, reader }}
            isAsking={plan.doubts.length > 0}
            onStarted={work.start}
          />
        </>
      )}
    </Stack>
  );
}

const settingsOf = ({ currency, currencyDecimals }: Store): Settings => ({
  currency,
  decimals: currencyDecimals,
  timeZone,
});

/** A file from its bytes to the plan of its import. */
function useFile() {
  const store = useStore();
  const reader = useRef<Reader>(null);
  const bytes = useRef<Uint8Array>(null);
  const stored = useRef<Stored>(null);
  const [head, setHead] = useState<Head>();
  const [mapping, setMapping] = useState<Mapping>([]);
  const [settings, setSettings] = useState<Settings>(() => settingsOf(store));
  const [plan, setPlan] = useState<Plan>();
  const [planned, setPlanned] = useState(0);
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const [isStarted, setStarted] = useState(false);
  useEffect(() => () => reader.current?.stop(), []);
  const attempt = async (act: () => Promise<void>) => {
    setError(undefined);
    setBusy(true);
    await act().catch(setError);
    setBusy(false);
  };
  const read = async (choices: FileChoices) => {
    setPlan(undefined);
    const answer = await reader.current!.ask('read', { bytes: bytes.current!, choices });
    const kept = keptChoices(store.id, answer.head.signature);
    setHead(answer.head);
    setMapping(kept?.mapping ?? answer.mapping);
    setSettings({ ...settingsOf(store), ...kept?.settings });
  };
  return {
    ...{
      reader: reader.current,
      head,
      mapping,
      setMapping,
      settings,
      plan,
      planned,
      error,
      isBusy,
      isStarted,
    },
    open: (file: File) =>
      attempt(async () => {
        reader.current ??= new Reader();
        setHead(undefined);
        setStarted(false);
        stored.current = null;
        bytes.current = new Uint8Array(await file.arrayBuffer());
        await read({});
      }),
    readAgain: (choices: FileChoices) => attempt(() => read(choices)),
    preview: (chosen: Settings = settings) =>
      attempt(async () => {
        const isFirst = stored.current === null;
        stored.current ??= await readStored(callerOf(store.id));
        const asked = { mapping, settings: chosen, ...(isFirst && { stored: stored.current }) };
        const { decimalSign, pictureBase, picture } = chosen;
        keepChoices(store.id, head!.signature, { mapping, settings: { decimalSign, pictureBase, picture } });
        setSettings(chosen);
        setPlan(await reader.current!.ask('plan', asked));
        setPlanned((count) => count + 1);
      }),
    backToColumns: () => setPlan(undefined),
    start: () => setStarted(true),
  };
}
