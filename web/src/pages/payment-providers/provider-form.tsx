import { PasswordInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useChange } from '../../api/change';
import { useStore } from '../../api/store';
import { Form } from '../../parts/forms/form';
import { choicesOf, type Inputs, inputsOf, useRow } from '../../parts/inputs/inputs-of';
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

type Values = ReturnType<typeof valuesOf>;

const valuesOf = (provider: Provider | undefined, currency: string) => ({
  kind: provider ? kindOf(provider) : ('card' as KindName),
  providerName: '',
  providerToken: '',
  supportedCurrencies: provider?.supportedCurrencies ?? [currency],
  isTestMode: provider?.isTestMode ?? true,
  isActive: provider?.isActive ?? true,
  metadata: (provider?.metadata ?? {}) as Record<string, unknown>,
});

/** A token that is not typed keeps its value. */
function inputOf({ kind, providerName, providerToken, ...values }: Values, provider?: Provider) {
  const common = { ...values, supportedCurrencies: kind === 'stars' ? ['XTR'] : values.supportedCurrencies };
  if (provider) return { ...common, id: provider.id, ...(providerToken ? { providerToken } : {}) };
  const { hasToken } = KINDS[kind];
  return { ...common, providerName: providerName || kind, providerToken: hasToken ? providerToken : '' };
}

interface Props {
  provider?: Provider;
  onDone: () => void;
}

/**
 * Creates or edits a provider. Stored secrets are shown as dots; a field that is not changed keeps its value.
 */
export function ProviderForm({ provider, onDone }: Props) {
  const { currency } = useStore();
  const [values, change] = useRow(valuesOf(provider, currency));
  const save = useChange(provider ? 'update_payment_provider' : 'create_payment_provider', {
    ...{ done: words.common.saved, refusals: 'form', onDone },
  });
  const submit = () => void save.make(inputOf(values, provider), { ifMatch: provider?.updatedAt });
  const label = provider ? words.common.save : words.common.create;
  return (
    <Form values={values} change={save} submit={{ label }} onSubmit={submit}>
      {(errorOf) => {
        const inputs = inputsOf(values, change, errorOf);
        return (
          <>
            {!provider && <KindInputs {...inputs} kind={values.kind} />}
            <Secrets {...{ provider, values, change, errorOf }} />
            {values.kind !== 'stars' && (
              <TagsInput
                {...inputs.value('supportedCurrencies')}
                label={words.paymentProviders.currencies}
                onChange={(all) => change({ supportedCurrencies: all.map((one) => one.toUpperCase()) })}
              />
            )}
            <Switch {...inputs.switch('isTestMode')} label={words.paymentProviders.test} />
            <Switch {...inputs.switch('isActive')} label={words.fields.isActive} />
          </>
        );
      }}
    </Form>
  );
}

const KindInputs = ({ kind, value, text }: Inputs<Values> & { kind: KindName }) => (
  <>
    <Select
      {...value('kind')}
      label={words.paymentProviders.kind}
      data={choicesOf(Object.keys(KINDS) as KindName[], words.paymentProviders.kinds)}
      allowDeselect={false}
    />
    <TextInput {...text('providerName')} label={words.fields.name} placeholder={kind} />
  </>
);

interface SecretsProps {
  provider?: Provider;
  values: Values;
  change: (part: Partial<Values>) => void;
  errorOf: (name: string) => string | undefined;
}

/** The token and the keys that this kind of provider needs. */
function Secrets({ provider, values: { kind, providerToken, metadata }, change, errorOf }: SecretsProps) {
  const { hasToken, keys } = KINDS[kind];
  return (
    <>
      {hasToken && (
        <PasswordInput
          label={words.paymentProviders.token}
          placeholder={provider?.hasToken ? `•••• ${provider.tokenHint ?? ''}` : undefined}
          value={providerToken}
          error={errorOf('providerToken')}
          autoComplete="off"
          onChange={(event) => change({ providerToken: event.currentTarget.value })}
        />
      )}
      {keys.map((key) => {
        const Input = isSecret(key) ? PasswordInput : TextInput;
        return (
          <Input
            key={key}
            label={words.paymentProviders.keys[key as keyof typeof words.paymentProviders.keys]}
            value={String(metadata[key] ?? '')}
            error={errorOf(`metadata.${key}`)}
            autoComplete="off"
            onChange={(event) => change({ metadata: { ...metadata, [key]: event.currentTarget.value } })}
          />
        );
      })}
    </>
  );
}
