import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Warning } from '../../../../../packages/import/src/carry-out';
import type { Plan } from '../../../../../packages/import/src/planning/plan';
import { warningInWords } from '../../../api/telling/warning-words';
import { notifyDone, notifyFailed } from '../../../notify';
import { Form } from '../../../parts/forms/form';
import { words } from '../../../words/all';
import { Differences } from './differences';
import { NewProducts } from './new-products';
import { Problems } from './problems';
import { useImport } from './use-import';
import { useRehearsal } from './use-rehearsal';
import type { Reader } from './reader';

interface Props {
  plan: Plan;
  reader: Reader;
  /** Whether something has still to be answered. */
  isAsking: boolean;
  onStarted: () => void;
}

/** What the file would change and what it cannot, the button that changes it, and what came of it. */
export function Preview({ plan, reader, isAsking, onStarted }: Props) {
  const { imports } = words;
  const { run, stop, state, progress, error, outcome, undo } = useImport(plan);
  const { warnings, rest } = useRehearsal(plan);
  const { counts } = plan;
  const count = counts.new + counts.changed;
  if (state === 'done') return <Done plan={plan} reader={reader} outcome={outcome} undo={undo} />;
  const isRunning = state === 'running';
  const start = () => {
    onStarted();
    void run();
  };
  return (
    <Form
      values={{}}
      isDirty={count > 0}
      change={{ isPending: false, error }}
      submit={count > 0 && !isRunning ? { label: imports.submit(count), disabled: isAsking } : undefined}
      onSubmit={start}
    >
      <Counts counts={counts} />
      {plan.leftOut.length > 0 && <Text size="sm">{imports.notRead(plan.leftOut.join(', '))}</Text>}
      <Problems problems={[...plan.problems, ...outcome.problems]} reader={reader} />
      <Warnings warnings={state === 'ready' ? warnings : outcome.warnings} rest={rest} />
      {count === 0 && !isAsking && <Text role="status">{imports.nothing}</Text>}
      <NewProducts products={plan.products} />
      <Differences products={plan.products} />
      {isRunning && (
        <Group>
          <progress
            className="import-progress"
            aria-label={imports.progress}
            value={progress.done}
            max={progress.all}
          />
          <Button variant="default" onClick={stop}>
            {imports.stop}
          </Button>
        </Group>
      )}
      {state === 'stopped' && (
        <Text size="sm" role="status">
          {imports.stopped(progress.done, progress.all)}
        </Text>
      )}
    </Form>
  );
}

function Counts({ counts }: Pick<Plan, 'counts'>) {
  const { imports } = words;
  const parts = (['new', 'changed', 'unchanged', 'leftOut', 'sections'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => imports.counts[name](counts[name]));
  return (
    <Text>
      {imports.counts.all(counts.all)}: {parts.join(', ')}.
    </Text>
  );
}

/** Longer lists would take a phone seconds to draw. */
const SHOWN = 50;

function Warnings({ warnings, rest }: { warnings: Warning[]; rest: number }) {
  const { imports, common } = words;
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" title={imports.warns}>
      <ul className="plain-list">
        {warnings.slice(0, SHOWN).map((warning, i) => (
          <li key={i}>
            {imports.line(warning.line)}: {warningInWords(warning)}
          </li>
        ))}
      </ul>
      {warnings.length > SHOWN && <Text size="sm">{common.andMore(warnings.length - SHOWN)}</Text>}
      {rest > 0 && <Text size="sm">{imports.notRehearsed(rest)}</Text>}
    </Alert>
  );
}

type Outcome = ReturnType<typeof useImport>['outcome'];

function Done({
  plan,
  reader,
  outcome,
  undo,
}: Pick<Props, 'plan' | 'reader'> & { outcome: Outcome; undo?: () => Promise<void> }) {
  const { imports } = words;
  const failed = new Set(outcome.problems.map(({ line }) => line)).size;
  const count = plan.counts.new + plan.counts.changed - failed;
  return (
    <Stack>
      <Alert color={failed > 0 ? 'yellow' : 'green'} role="status">
        <Group justify="space-between">
          {imports.done(count)}
          <UndoButton undo={undo} />
        </Group>
      </Alert>
      <Problems problems={[...plan.problems, ...outcome.problems]} reader={reader} />
      <Warnings warnings={outcome.warnings} rest={0} />
    </Stack>
  );
}

/** Undoes an import as long as its page is open. What could not be undone may be tried again. */
function UndoButton({ undo }: { undo?: () => Promise<void> }) {
  const [isPending, setPending] = useState(false);
  if (!undo && !isPending) return null;
  const takeBack = () => {
    setPending(true);
    undo!()
      .then(() => notifyDone(words.common.undone), notifyFailed)
      .finally(() => setPending(false));
  };
  return (
    <Button size="compact-sm" variant="default" loading={isPending} onClick={takeBack}>
      {words.common.undo}
    </Button>
  );
}
