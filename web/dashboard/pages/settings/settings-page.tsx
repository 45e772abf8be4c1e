import { Box, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { Output } from '../../api/client';
import { useRead } from '../../api/queries';
import { ConfigForm } from '../../parts/forms/config-form';
import { inputsOf } from '../../parts/inputs/inputs-of';
import { PictureInput } from '../../parts/inputs/picture-input';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';
import { Accent } from './accent';
import { ShopLanguage } from './shop-language';
import { TimeZone } from './time-zone';

type Settings = Output<'get_settings'>;
type General = Omit<Settings, 'currency' | 'updatedAt'>;

const general = ({ currency: _, updatedAt: __, ...rest }: Settings): General => rest;

export default function SettingsPage() {
  // The one that the form reads. What stands below the form would move away under somebody's hands.
  const { isPending } = useRead('get_settings', {});
  return (
    <Stack maw={720}>
      <PageHead title={words.pages.settings} />
      <ConfigForm
        get="get_settings"
        update="update_general"
        pick={general}
        texts={{ labels: words.settings }}
      >
        {({ value, change, errorOf }) => {
          const inputs = inputsOf(value, change, errorOf);
          // Each says where in the shop it is felt.
          const said = (name: keyof General) => ({
            label: words.settings[name],
            description: words.settings[`${name}Hint`],
          });
          const text = (name: keyof General) => ({ ...inputs.text(name), ...said(name) });
          const picture = (name: 'logoUrl' | 'darkLogoUrl') => ({ ...inputs.value(name), ...said(name) });
          return (
            <>
              <Section title={words.settings.general}>
                <TextInput {...text('name')} />
                <PictureInput {...picture('logoUrl')} background="#fff" />
                <PictureInput {...picture('darkLogoUrl')} background="#121318" />
              </Section>
              <Section title={words.settings.seo} hint={words.settings.seoHint}>
                <TextInput {...text('title')} />
                <Textarea {...text('description')} autosize minRows={2} />
                <TextInput {...text('keywords')} />
                <ShopHead {...value} />
              </Section>
            </>
          );
        }}
      </ConfigForm>
      {!isPending && <Accent />}
      {!isPending && <ShopLanguage />}
      {!isPending && <TimeZone />}
    </Stack>
  );
}

/** Shows what stands above the shop's catalog. */
function ShopHead({ title, name, description }: General) {
  return (
    <Box
      p="sm"
      style={{ border: '1px solid var(--line)', borderRadius: 8 }}
      role="figure"
      aria-label={words.settings.preview}
    >
      <Text size="lg" fw={650} lineClamp={2}>
        {title || name}
      </Text>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {description || '–'}
      </Text>
    </Box>
  );
}
