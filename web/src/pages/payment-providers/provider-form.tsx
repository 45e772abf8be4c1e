import { Button, Group, PasswordInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import { useStore } from '../../api/store';
import { FormFailure } from '../../parts/failure';
import { refused } from '../../parts/forms/refused';
import { words } from '../../words';
import type { Provider } from './provider';

interface Kind {
  hasToken: boolean;
  /** The keys of its metadata, as in docs/payment-providers.md. */
  keys: string[];
}

/** The settings that each kind of provider needs. */
const KINDS = {
  stars: { hasToken: false, keys: [] },
  card: { hasToken: true, keys: [] },
  keyId: { hasToken: true, keys: ['keyId'] },
  merchant: { hasToken: false, keys: ['merchantId', 'clientKey', 'serverKey'] },
  wallet: { hasToken: false, keys: ['walletAddress'] },
  crypto: { hasToken: false, keys: ['apiKey', 'ipnSecret'] },
} satisfies Record<string, Kind>;
type KindName = keyof typeof KINDS;

const isSecret = (key: string) => key !== 'keyId' && /secret|token|password|key/i.test(key);

/** Finds the kind of a stored provider by its keys, or else by its currencies. */
function kindOf({ metadata, supportedCurrencies }: Provider): KindName {
  const names = Object.keys(KINDS) as KindName[];
  const byKeys = names.find(
    (name) => KINDS[name].keys.length > 0 && KINDS[name].keys.every((key) => key in metadata),
  );
  return byKeys ?? (supportedCurrencies.join() === 'XTR' ? 'stars' : 'card');
}

/**
 * Creates or edits a provider. Stored secrets are shown as dots; a field that is not changed keeps its value.
 */
export function ProviderForm({ provider, onDone }: { provider?: Provider; onDone: () => void }) {
  const { currency } = useStore();
  const [kind, setKind] = useState<KindName>(provider ? kindOf(provider) : 'card');
  const [name, setName] = useState('');
  const [token, setToken] = useState('');
  const [currencies, setCurrencies] = useState(provider?.supportedCurrencies ?? [currency]);
  const [isTestMode, setTestMode] = useState(provider?.isTestMode ?? true);
  const [isActive, setActive] = useState(provider?.isActive ?? true);
  const [metadata, setMetadata] = useState<Record<string, unknown>>(provider?.metadata ?? {});
  const { make, isPending, error } = useChange(
    provider ? 'update_payment_provider' : 'create_payment_provider',
    { done: words.common.saved, refusals: 'form', onDone },
  );
  const { hasToken, keys } = KINDS[kind];
  const errors = refused(error, {
    providerName: name,
    providerToken: token,
    supportedCurrencies: currencies,
    metadata,
  });
  const submit = () => {
    const common = {
      supportedCurrencies: kind === 'stars' ? ['XTR'] : currencies,
      isTestMode,
      isActive,
      metadata,
    };
    if (!provider)
      return make({ ...common, providerName: name || kind, providerToken: hasToken ? token : '' });
    const changed = { ...common, id: provider.id, ...(token ? { providerToken: token } : {}) };
    return make(changed, { ifMatch: provider.updatedAt });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="sm">
        <FormFailure text={errors.rest} />
        {!provider && (
          <>
            <Select
              label={words.paymentProviders.kind}
              data={(Object.keys(KINDS) as KindName[]).map((value) => ({
                value,
                label: words.paymentProviders.kinds[value],
              }))}
              value={kind}
              allowDeselect={false}
              onChange={(value) => setKind(value as KindName)}
            />
            <TextInput
              label={words.fields.name}
              placeholder={kind}
              value={name}
              error={errors.of('providerName')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </>
        )}
        {hasToken && (
          <PasswordInput
            label={words.paymentProviders.token}
            placeholder={provider?.hasToken ? `•••• ${provider.tokenHint ?? ''}` : undefined}
            value={token}
            error={errors.of('providerToken')}
            autoComplete="off"
            onChange={(event) => setToken(event.currentTarget.value)}
          />
        )}
        {keys.map((key) => {
          const Input = isSecret(key) ? PasswordInput : TextInput;
          return (
            <Input
              key={key}
              label={words.paymentProviders.keys[key as keyof typeof words.paymentProviders.keys]}
              value={String(metadata[key] ?? '')}
              error={errors.of(`metadata.${key}`)}
              autoComplete="off"
              onChange={(event) => setMetadata({ ...metadata, [key]: event.currentTarget.value })}
            />
          );
        })}
        {kind !== 'stars' && (
          <TagsInput
            label={words.paymentProviders.currencies}
            value={currencies}
            error={errors.of('supportedCurrencies')}
            onChange={(all) => setCurrencies(all.map((one) => one.toUpperCase()))}
          />
        )}
        <Switch
          label={words.paymentProviders.test}
          checked={isTestMode}
          onChange={(event) => setTestMode(event.currentTarget.checked)}
        />
        <Switch
          label={words.fields.isActive}
          checked={isActive}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {provider ? words.common.save : words.common.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
