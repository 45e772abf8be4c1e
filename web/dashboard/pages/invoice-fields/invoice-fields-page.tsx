import { Stack, Switch } from '@mantine/core';
import type { Output } from '../../api/client';
import { ConfigForm } from '../../parts/forms/config-form';
import { MoneyInput, MoneyListInput } from '../../parts/inputs/money-input';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';

type Config = Omit<Output<'get_invoice_field_config'>, 'updatedAt'>;
const config = ({ updatedAt: _, ...rest }: Output<'get_invoice_field_config'>): Config => rest;
const MINOR = ['maxTipAmount', 'suggestedTipAmounts'];
const ASKED = ['needName', 'needPhoneNumber', 'needEmail', 'needShippingAddress', 'isFlexible'] as const;

export default function InvoiceFieldsPage() {
  return (
    <Stack maw={720}>
      <PageHead title={words.pages.invoiceFields} hint={words.invoiceFields.hint} />
      <ConfigForm
        get="get_invoice_field_config"
        update="update_invoice_field_config"
        pick={config}
        texts={{ labels: words.invoiceFields, minor: MINOR }}
      >
        {({ value, change, errorOf }) => (
          <>
            <Section title={words.invoiceFields.asked}>
              {ASKED.map((name) => (
                <Switch
                  key={name}
                  label={words.invoiceFields[name]}
                  description={name === 'isFlexible' ? words.invoiceFields.isFlexibleHint : undefined}
                  checked={value[name]}
                  onChange={(event) => change({ [name]: event.currentTarget.checked })}
                />
              ))}
            </Section>
            <Section title={words.invoiceFields.tips} hint={words.invoiceFields.tipsHint}>
              <MoneyInput
                minor
                label={words.invoiceFields.maxTipAmount}
                value={value.maxTipAmount}
                error={errorOf('maxTipAmount')}
                onChange={(maxTipAmount) => change({ maxTipAmount })}
              />
              <MoneyListInput
                label={words.invoiceFields.suggestedTipAmounts}
                description={words.invoiceFields.suggestedHint}
                value={value.suggestedTipAmounts}
                error={errorOf('suggestedTipAmounts')}
                onChange={(suggestedTipAmounts) => change({ suggestedTipAmounts })}
              />
            </Section>
          </>
        )}
      </ConfigForm>
    </Stack>
  );
}
