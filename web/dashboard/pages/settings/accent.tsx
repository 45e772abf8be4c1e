import { Button, Group, TextInput } from '@mantine/core';
import { useChange } from '../../api/change';
import { Form } from '../../parts/forms/form';
import { Section } from '../../parts/states';
import { words } from '../../words/all';
import { useStoreField } from './store-field';

/** What the picker begins with: the colour of these pages. */
const OURS = '#3b45c1';

/** The colour by which shoppers know the shop. */
export function Accent() {
  const { value: accent, choose, isDirty, onDone } = useStoreField('accent');
  const set = useChange('PUT stores/{storeId}/accent', {
    done: (now) => (now.accent ? words.settings.accentSet : words.settings.accentGone),
    refusals: 'form',
    onDone,
  });
  return (
    <Section title={words.settings.accent} hint={words.settings.accentHint}>
      <Form
        values={{ accent }}
        {...{ isDirty, change: set }}
        submit={{ label: words.settings.setAccent, disabled: !isDirty }}
        onSubmit={() => void set.make({ accent })}
      >
        {(errorOf) => (
          <Group align="flex-end">
            <TextInput
              type="color"
              w={180}
              label={words.settings.accent}
              value={accent ?? OURS}
              error={errorOf('accent')}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
            />
            {accent !== null && (
              <Button variant="default" onClick={() => choose(null)}>
                {words.settings.noAccent}
              </Button>
            )}
          </Group>
        )}
      </Form>
    </Section>
  );
}
