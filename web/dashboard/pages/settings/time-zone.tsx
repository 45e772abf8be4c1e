import { Button, Select } from '@mantine/core';
import { useChange } from '../../api/change';
import { Form } from '../../parts/forms/form';
import { Section } from '../../parts/states';
import { ownTimeZone } from '../../parts/values/time-zone';
import { isTimeZone } from '../../../../src/stores/time-zone.js';
import { words } from '../../words/all';
import { useStoreField } from './store-field';

/** Browsers list zones under the names of twenty years ago, which nobody would look for. */
const RENAMED: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const present = (zone: string) => (isTimeZone(RENAMED[zone] ?? '') ? RENAMED[zone] : zone);

/** The store's time zone. A browser does not list UTC, and a store may have a zone under an older name. */
export function TimeZone() {
  const { stored, value: timeZone, choose, isDirty, onDone } = useStoreField('timeZone');
  const set = useChange('PUT stores/{storeId}/profile', {
    done: (profile) => words.settings.timeZoneIs(profile.timeZone),
    refusals: 'form',
    onDone,
  });
  const own = present(ownTimeZone());
  const zones = [...new Set(['UTC', own, stored, ...Intl.supportedValuesOf('timeZone').map(present)])];
  return (
    <Section title={words.settings.timeZone} hint={words.settings.timeZoneHint}>
      <Form
        values={{ timeZone }}
        {...{ isDirty, change: set }}
        submit={{ label: words.settings.setTimeZone, disabled: !isDirty }}
        onSubmit={() => void set.make({ timeZone })}
      >
        {(errorOf) => (
          <>
            <Select
              label={words.settings.timeZone}
              data={zones}
              searchable
              allowDeselect={false}
              nothingFoundMessage={words.common.nothingFound}
              limit={50}
              value={timeZone}
              error={errorOf('timeZone')}
              onChange={(zone) => choose(zone ?? stored)}
            />
            {own !== timeZone && (
              <Button variant="subtle" onClick={() => choose(own)} style={{ alignSelf: 'flex-start' }}>
                {words.settings.ownTimeZone(own)}
              </Button>
            )}
          </>
        )}
      </Form>
    </Section>
  );
}
