import { Code, TextInput } from '@mantine/core';
import { useState } from 'react';
import { mayRun } from '../../api/access';
import { useChange } from '../../api/change';
import type { InputOf } from '../../api/client';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { Facts, Section } from '../states';
import { Form } from './form';

/** What `set_order_reference` and `set_customer_reference` take at most. */
const MOST = 200;
type Changing = 'set_order_reference' | 'set_customer_reference';

interface Props {
  change: Changing;
  /** The order or customer, as the operation names it. */
  of: { orderId: number } | { id: string };
  reference: { externalId: string | null; metadata: object | null };
}

/** What other systems know an order or a customer by. Their metadata is shown as they wrote it. */
export function Reference({ change: name, of, reference: { externalId, metadata } }: Props) {
  const { role } = useStore();
  const [typed, setTyped] = useState<string | null>(null);
  const change = useChange(name, {
    done: words.common.saved,
    refusals: 'form',
    onDone: () => setTyped(null),
  });
  const value = typed ?? externalId ?? '';
  const isDirty = value !== (externalId ?? '');
  const submit = () => void change.make({ ...of, externalId: value || null } as InputOf<Changing>);
  return (
    <Section title={words.references.title}>
      {mayRun(role, name) ? (
        <Form
          values={{ externalId: value }}
          isDirty={isDirty}
          change={change}
          submit={{ label: words.references.set, disabled: !isDirty }}
          onSubmit={submit}
        >
          {(errorOf) => (
            <TextInput
              label={words.references.externalId}
              value={value}
              maxLength={MOST}
              error={errorOf('externalId')}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Form>
      ) : (
        <Facts facts={[[words.references.externalId, externalId]]} />
      )}
      {metadata && (
        <Code block aria-label={words.references.metadata}>
          {JSON.stringify(metadata, null, 2)}
        </Code>
      )}
    </Section>
  );
}
