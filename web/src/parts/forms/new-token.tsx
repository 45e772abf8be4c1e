import { Button, Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { SCOPE_NAMES, type ScopeName } from '../../api/access';
import { useChange } from '../../api/change';
import type { RouteOutput } from '../../api/client';
import { words } from '../../words';
import { FormFailure } from '../failure';
import { refused } from './refused';

export type NewToken = RouteOutput<'POST stores/{storeId}/tokens'>;

const DAYS = ['30', '90', '365'] as const;
const A_DAY_MS = 86_400_000;

/** Creates an API token. Only the store's owner may do that. */
export function NewTokenForm({
  name = '',
  onCreated,
}: {
  name?: string;
  onCreated: (token: NewToken) => void;
}) {
  const create = useChange('POST stores/{storeId}/tokens', { refusals: 'form', onDone: onCreated });
  const [values, setValues] = useState({ name, scope: 'read' as ScopeName, days: '90' });
  const errors = refused(create.error, { ...values, expiresAt: values.days });
  const expiries = DAYS.map((days) => ({ value: days, label: words.tokens.days(Number(days)) }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expiresAt =
      values.days === 'never' ? null : new Date(Date.now() + Number(values.days) * A_DAY_MS).toISOString();
    void create.make({ name: values.name.trim(), scope: values.scope, expiresAt });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormFailure text={errors.rest} />
        <TextInput
          label={words.tokens.name}
          description={words.tokens.nameHint}
          required
          maxLength={100}
          data-autofocus
          value={values.name}
          error={errors.of('name')}
          onChange={({ currentTarget }) => setValues((all) => ({ ...all, name: currentTarget.value }))}
        />
        <ScopeChoice value={values.scope} onChange={(scope) => setValues((all) => ({ ...all, scope }))} />
        <Select
          label={words.tokens.expiry}
          data={[...expiries, { value: 'never', label: words.tokens.noExpiry }]}
          allowDeselect={false}
          value={values.days}
          error={errors.of('expiresAt')}
          onChange={(days) => setValues((all) => ({ ...all, days: days! }))}
        />
        <Group justify="flex-end" mt="xs">
          <Button type="submit" loading={create.isPending}>
            {words.tokens.create}
          </Button>
        </Group>
      </Stack>
    </form>
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
