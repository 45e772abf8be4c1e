import { PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { ask } from '../../api/client';
import { useStore } from '../../api/store';
import type { FieldTexts } from '../../parts/forms/differences';
import { useEdited } from '../../parts/forms/edited';
import { Form } from '../../parts/forms/form';
import { choicesOf, type Inputs, inputsOf } from '../../parts/inputs/inputs-of';
import { TextsInput } from '../../parts/inputs/texts-input';
import { words } from '../../words/all';
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

/** What is sent: of a stored provider only what differs. A token that is not typed keeps its value. */
function changesOf({ kind, providerName, providerToken, ...values }: Values, stored?: Provider): object {
  const common = { ...values, supportedCurrencies: kind === 'stars' ? ['XTR'] : values.supportedCurrencies };
  if (!stored) {
    const { hasToken } = KINDS[kind];
    return { ...common, providerName: providerName || kind, providerToken: hasToken ? providerToken : '' };
  }
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(stored[name as keyof typeof common]);
  return Object.fromEntries([
    ...Object.entries(common).filter(isChanged),
    ...(providerToken ? [['providerToken', providerToken]] : []),
  ]);
}

/** The keys of a provider stand in its form beside the others. */
const textsOf = (): FieldTexts => ({
  labels: {
    ...words.paymentProviders.keys,
    ...{ metadata: '', supportedCurrencies: words.paymentProviders.currencies },
    ...{ isTestMode: words.paymentProviders.test, providerToken: words.paymentProviders.token },
  },
});

interface Props {
  provider?: Provider;
  onDone: () => void;
}

/**
 * Creates or edits a provider. Stored secrets are shown as dots; a field that is not changed keeps its value.
 */
export function ProviderForm({ provider, onDone }: Props) {
  const { id: storeId, currency } = useStore();
  const operation = provider ? 'update_payment_provider' : 'create_payment_provider';
  const { values, setValues, isDirty, change, save, conflict } = useEdited(operation, {
    record: provider,
    pick: (stored) => valuesOf(stored, currency),
    changedOf: changesOf,
    fixed: provider ? { id: provider.id } : {},
    hasVersion: true,
    texts: textsOf(),
    reread: provider && (() => ask(storeId, 'get_payment_provider', { id: provider.id })),
    done: words.common.saved,
    onDone,
  });
  const set = (part: Partial<Values>) => setValues((all) => ({ ...all, ...part }));
  const label = provider ? words.common.save : words.common.create;
  return (
    <>
      <Form {...{ values, change, isDirty: provider && isDirty }} submit={{ label }} onSubmit={() => save()}>
        {(errorOf) => {
          const inputs = inputsOf(values, set, errorOf);
          return (
            <>
              {!provider && <KindInputs {...inputs} kind={values.kind} />}
              <Secrets {...{ provider, values, set, errorOf }} />
              {values.kind !== 'stars' && (
                <TextsInput
                  {...inputs.value('supportedCurrencies')}
                  label={words.paymentProviders.currencies}
                  onChange={(all) => set({ supportedCurrencies: all.map((one) => one.toUpperCase()) })}
                />
              )}
              <Switch {...inputs.switch('isTestMode')} label={words.paymentProviders.test} />
              <Switch {...inputs.switch('isActive')} label={words.fields.isActive} />
            </>
          );
        }}
      </Form>
      {conflict}
    </>
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
  set: (part: Partial<Values>) => void;
  errorOf: (name: string) => string | undefined;
}

/** The token and the keys that this kind of provider needs. */
function Secrets({ provider, values: { kind, providerToken, metadata }, set, errorOf }: SecretsProps) {
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
          onChange={(event) => set({ providerToken: event.currentTarget.value })}
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
            onChange={(event) => set({ metadata: { ...metadata, [key]: event.currentTarget.value } })}
          />
        );
      })}
    </>
  );
}
