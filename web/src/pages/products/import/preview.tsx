import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { notifyDone, notifyFailed } from '../../../notify';
import { Form } from '../../../parts/forms/form';
import { fieldName } from '../../../parts/values/format';
import { words } from '../../../words';
import { useCarryOut } from './carry-out';
import type { Difference, Plan } from './work';

/** Longer tables would take a phone seconds to draw. */
const SHOWN = 200;

/** What the file would change and what it cannot, and the button that changes it. */
export function Preview({ plan }: { plan: Plan }) {
  const { imports } = words;
  const { run, undo, change, failures, isLeft } = useCarryOut(plan);
  const lines = new Set(plan.differences.map(({ line }) => line)).size;
  const refused = new Set(failures.map(({ line }) => line));
  const failed = refused.size;
  if (lines > 0 && !isLeft) {
    return (
      <Stack>
        <Alert color={failed > 0 ? 'yellow' : 'green'} role="status">
          <Group justify="space-between">
            {imports.done(lines - failed)}
            <UndoButton undo={undo} hasCreated={plan.created.some(({ line }) => !refused.has(line))} />
          </Group>
        </Alert>
        <Problems problems={failures} />
      </Stack>
    );
  }
  return (
    <Form
      values={{}}
      isDirty={isLeft}
      change={change}
      submit={lines > 0 ? { label: imports.submit(lines) } : undefined}
      onSubmit={() => void run()}
    >
      <Problems problems={[...plan.problems, ...failures]} />
      {lines === 0 ? <Text role="status">{imports.nothing}</Text> : <Differences all={plan.differences} />}
    </Form>
  );
}

/**
 * Undoes an import as long as its page is open; new products are not taken away. What could not be undone may
 * be tried again.
 */
function UndoButton({ undo, hasCreated }: { undo?: () => Promise<void>; hasCreated: boolean }) {
  const [state, setState] = useState<'made' | 'pending' | 'tried'>('made');
  if (!undo && state !== 'pending')
    return state === 'tried' && hasCreated && <Text size="sm">{words.imports.newStay}</Text>;
  const takeBack = () => {
    setState('pending');
    undo!()
      .then(() => notifyDone(words.common.undone), notifyFailed)
      .finally(() => setState('tried'));
  };
  return (
    <Button size="compact-sm" variant="default" loading={state === 'pending'} onClick={takeBack}>
      {words.common.undo}
    </Button>
  );
}

function Problems({ problems }: { problems: Plan['problems'] }) {
  if (problems.length === 0) return null;
  return (
    <Alert
      color="red"
      role="alert"
      tabIndex={-1}
      title={words.imports.leftOut(new Set(problems.map(({ line }) => line)).size)}
    >
      <ul className="plain-list">
        {problems.slice(0, SHOWN).map(({ line, text }, i) => (
          <li key={i}>
            {words.imports.line(line)}: {text}
          </li>
        ))}
      </ul>
      <More count={problems.length} />
    </Alert>
  );
}

const More = ({ count }: { count: number }) =>
  count > SHOWN && <Text size="sm">{words.common.andMore(count - SHOWN)}</Text>;

function Differences({ all }: { all: Difference[] }) {
  return (
    <div className="surface list-scroll" tabIndex={0} role="region" aria-label={words.products.reviewTitle}>
      <table className="table">
        <thead>
          <tr>
            <th>{words.products.product}</th>
            <th>{words.audit.before}</th>
            <th>{words.audit.after}</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, SHOWN).map(({ line, name, field, before, after }) => (
            <tr key={`${line} ${field}`}>
              <th scope="row">
                <Text size="sm">{name}</Text>
                <Text size="sm" c="dimmed" fw={400}>
                  {words.imports.line(line)}, {field ? fieldName(field) : words.imports.isNew}
                </Text>
              </th>
              <td>
                <Short text={before} />
              </td>
              <td>
                <Short text={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More count={all.length} />
    </div>
  );
}

const Short = ({ text }: { text: string }) => (
  <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
    {text || '–'}
  </Text>
);
