import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import type { RouteInput } from '../../api/client';
import { useReloadStores } from '../../api/reload-stores';
import { useStore } from '../../api/store';
import { Form } from '../../parts/forms/form';
import { Section } from '../../parts/states';
import { LANGUAGES, type Language } from '../../words';
import { words } from '../../words/all';

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
const nameOf = (language: string) => LANGUAGES[language as Language] ?? language;

type Chosen = RouteInput<'PUT stores/{storeId}/profile'>['language'];

/** The language of what shoppers read and nobody has written. */
export function ShopLanguage() {
  const { language: stored } = useStore();
  const [language, choose] = useState(stored);
  const [saved, noteSaved] = useState(stored);
  const reload = useReloadStores();
  const set = useChange('PUT stores/{storeId}/profile', {
    done: (profile) => words.settings.languageIs(nameOf(profile.language)),
    refusals: 'form',
    onDone: (profile) => {
      noteSaved(profile.language);
      void reload({ language: profile.language });
    },
  });
  const isDirty = language !== stored && language !== saved;
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
