import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Plan } from '../../../../../packages/import/src/planning/plan';
import type { Settings } from '../../../../../packages/import/src/reading/line';
import { words } from '../../../words/all';

interface Props {
  plan: Plan;
  settings: Settings;
  onSettings: (settings: Settings) => void;
}

/** What only a person knows: each is asked where the file leaves it open. */
export function Questions({ plan, settings, onSettings }: Props) {
  const { imports } = words;
  const set = (change: Partial<Settings>) => onSettings({ ...settings, ...change });
  const { brands, categories } = plan.missing;
  const missing = [...brands.map(({ name }) => name), ...categories.map(({ path }) => path.join(' > '))];
  const [doubt] = plan.doubts;
  const hasWrongVariants = plan.problems.some(({ code }) => code === 'withProduct') || settings.withoutWrong;
  return (
    <Stack gap="sm">
      {(doubt || settings.decimalSign) && (
        <NativeSelect
          label={imports.decimal(doubt?.sample ?? '1,250')}
          value={settings.decimalSign ?? ''}
          error={doubt ? imports.chooseOne : undefined}
          onChange={({ currentTarget: { value } }) =>
            set({ decimalSign: value === '' ? undefined : (value as '.' | ',') })
          }
          data={[{ value: '', label: '' }, ...imports.decimals]}
        />
      )}
      {(plan.asksZeros || settings.zeros) && (
        <NativeSelect
          label={imports.zeros}
          value={settings.zeros ?? ''}
          onChange={({ currentTarget: { value } }) =>
            set({ zeros: value === '' ? undefined : (value as 'lost' | 'meant') })
          }
          data={[{ value: '', label: '' }, ...imports.zerosAre]}
        />
      )}
      {(plan.asksPictureBase || settings.pictureBase !== undefined) && (
        <Typed
          label={imports.pictureBase}
          value={settings.pictureBase}
          onTyped={(pictureBase) => set({ pictureBase })}
        />
      )}
      {(plan.asksPicture || settings.picture !== undefined) && (
        <Typed label={imports.picture} value={settings.picture} onTyped={(picture) => set({ picture })} />
      )}
      {missing.length > 0 && (
        <Checkbox
          label={imports.make(brands.length, categories.length)}
          description={missing.slice(0, 30).join(', ') + (missing.length > 30 ? '…' : '')}
          checked={settings.makesMissing ?? false}
          onChange={(event) => set({ makesMissing: event.currentTarget.checked })}
        />
      )}
      {hasWrongVariants && (
        <Checkbox
          label={imports.withoutWrong}
          checked={settings.withoutWrong ?? false}
          onChange={(event) => set({ withoutWrong: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

/** An address, which counts when the field is left. */
function Typed({
  label,
  value,
  onTyped,
}: {
  label: string;
  value?: string;
  onTyped: (value?: string) => void;
}) {
  return (
    <TextInput
      label={label}
      type="url"
      placeholder="https://"
      defaultValue={value}
      onBlur={({ currentTarget }) => {
        const typed = currentTarget.value.trim() || undefined;
        if (typed !== value) onTyped(typed);
      }}
    />
  );
}
