import { useState } from 'react';
import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { SCOPE_NAMES, type ScopeName } from '../../api/access';
import { useChange } from '../../api/change';
import type { RouteOutput } from '../../api/client';
import { words } from '../../words/all';
import { Dialog } from '../dialog';
import { inputsOf, useRow } from '../inputs/inputs-of';
import { GroupsChoice, ProofInput, useProof } from '../inputs/rights';
import { Form } from './form';

export type NewToken = RouteOutput<'POST stores/{storeId}/tokens'>;

const DAYS = ['30', '90', '365', 'never'];
const A_DAY_MS = 86_400_000;
const dayOf = (days: string) =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * A_DAY_MS).toISOString();

const dayText = (days: string) =>
  days === 'never' ? words.tokens.noExpiry : words.tokens.days(Number(days));

interface Props {
  name?: string;
  onCreated: (token: NewToken) => void;
  onClose: () => void;
}

/** Creates an API token. Only the store's owner may do that. */
export function NewTokenDialog({ name = '', onCreated, onClose }: Props) {
  const create = useChange('POST stores/{storeId}/tokens', {
    refusals: 'form',
    onDone: (token) => {
      onClose();
      onCreated(token);
    },
  });
  const [values, change] = useRow({
    name,
    scope: 'read' as ScopeName,
    groups: null as string[] | null,
    expiresAt: '90',
  });
  const [typed, setTyped] = useState('');
  const { name: proofName, proof } = useProof(typed);
  const isAdmin = values.scope === 'admin';
  const submit = () =>
    void create.make({
      ...values,
      ...(isAdmin ? proof : {}),
      name: values.name.trim(),
      expiresAt: dayOf(values.expiresAt),
    });
  return (
    <Dialog onClose={onClose} title={words.creates.token}>
      <Form
        values={isAdmin ? { ...values, [proofName]: typed } : values}
        change={create}
        submit={{ label: words.creates.token }}
        onSubmit={submit}
      >
        {(errorOf) => {
          const inputs = inputsOf(values, change, errorOf);
          return (
            <>
              <TextInput
                {...inputs.text('name')}
                label={words.tokens.name}
                description={words.tokens.nameHint}
                required
                maxLength={100}
                data-autofocus
              />
              <ScopeChoice {...inputs.value('scope')} />
              <GroupsChoice {...inputs.value('groups')} />
              <Select
                {...inputs.value('expiresAt')}
                label={words.tokens.expiry}
                data={DAYS.map((days) => ({ value: days, label: dayText(days) }))}
                allowDeselect={false}
              />
              {isAdmin && (
                <ProofInput name={proofName} value={typed} error={errorOf(proofName)} onChange={setTyped} />
              )}
            </>
          );
        }}
      </Form>
    </Dialog>
  );
}

/** Selects the scope of a token. The scopes are listed from the narrowest to the widest. */
export function ScopeChoice({ value, onChange }: { value: ScopeName; onChange: (scope: ScopeName) => void }) {
  return (
    <Radio.Group label={words.tokens.scope} value={value} onChange={(scope) => onChange(scope as ScopeName)}>
      <Stack gap="xs" mt={6}>
        {SCOPE_NAMES.map((scope) => (
          <Radio
            key={scope}
            value={scope}
            label={words.tokens.scopes[scope]}
            description={words.tokens.scopeHints[scope]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
