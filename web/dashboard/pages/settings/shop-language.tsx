import { NativeSelect } from '@mantine/core';
import { useChange } from '../../api/change';
import type { RouteInput } from '../../api/client';
import { Form } from '../../parts/forms/form';
import { Section } from '../../parts/states';
import { LANGUAGES, type Language } from '../../words';
import { words } from '../../words/all';
import { useStoreField } from './store-field';

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
const nameOf = (language: string) => LANGUAGES[language as Language] ?? language;

type Chosen = RouteInput<'PUT stores/{storeId}/profile'>['language'];

/** The language of what shoppers read and nobody has written. */
export function ShopLanguage() {
  const { value: language, choose, isDirty, onDone } = useStoreField('language');
  const set = useChange('PUT stores/{storeId}/profile', {
    done: (profile) => words.settings.languageIs(nameOf(profile.language)),
    refusals: 'form',
    onDone,
  });
  return (
    <Section title={words.settings.language} hint={words.settings.languageHint}>
      <Form
        values={{ language }}
        {...{ isDirty, change: set }}
        submit={{ label: words.settings.setLanguage, disabled: !isDirty }}
        onSubmit={() => void set.make({ language: language as Chosen })}
      >
        {(errorOf) => (
          <NativeSelect
            label={words.settings.language}
            data={CHOICES}
            value={language}
            error={errorOf('language')}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        )}
      </Form>
    </Section>
  );
}
