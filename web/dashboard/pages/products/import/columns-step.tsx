import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FIELDS, type Field } from '../../../../../packages/import/src/formats/fields';
import type { Mapping, Target } from '../../../../../packages/import/src/reading/mapping';
import { fieldName } from '../../../api/telling/field-name';
import { words } from '../../../words/all';
import type { Head } from './worker';

interface Props {
  head: Head;
  mapping: Mapping;
  onMapping: (mapping: Mapping) => void;
  /** Reads the file again, in another encoding or another sheet of it. */
  onFile: (choices: { encoding?: string; sheet?: string }) => void;
  isBusy: boolean;
  onContinue: () => void;
}

const NUMBERED = new Set<Field>(['optionName', 'optionValue']);
const PLACES = [1, 2, 3];
const ASKED = 'asked';

const codeOf = (target: Target | null | undefined) =>
  target === undefined
    ? ASKED
    : target === null
      ? ''
      : [target.field, target.place].filter(Boolean).join(' ');

function targetOf(code: string): Target | null | undefined {
  if (code === ASKED) return undefined;
  const [field, place] = code.split(' ');
  return field ? { field: field as Field, ...(place && { place: Number(place) }) } : null;
}

/** How a field of files is named for people. */
export const columnName = (field: string): string => words.imports.fields[field] ?? fieldName(field);

const options = () =>
  FIELDS.flatMap((field) =>
    NUMBERED.has(field)
      ? PLACES.map((place) => ({ value: `${field} ${place}`, label: `${columnName(field)} ${place}` }))
      : [{ value: field as string, label: columnName(field) }],
  ).sort((one, other) => one.label.localeCompare(other.label));

/** What each column of the file is, with its first values. */
export function ColumnsStep({ head, mapping, onMapping, onFile, isBusy, onContinue }: Props) {
  const { imports } = words;
  const [hasAsked, setHasAsked] = useState(false);
  const asked = mapping.some((target) => target === undefined);
  const goOn = () => (asked ? setHasAsked(true) : onContinue());
  const known = options();
  const filled = head.columns.map((column, i) => ({ ...column, i })).filter(({ isEmpty }) => !isEmpty);
  return (
    <Stack>
      <FileChoices head={head} onFile={onFile} />
      <Text size="sm">{imports.columnsHint(head.lines)}</Text>
      <div className="import-columns">
        {filled.map(({ heading, samples, i }) => (
          <NativeSelect
            key={i}
            label={heading || imports.column(i + 1)}
            description={samples.join(' · ')}
            value={codeOf(mapping[i])}
            error={mapping[i] === undefined && (hasAsked ? imports.chooseOne : imports.twiceHeading)}
            onChange={(event) => onMapping(mapping.with(i, targetOf(event.currentTarget.value)))}
            data={[
              ...(mapping[i] === undefined ? [{ value: ASKED, label: '' }] : []),
              { value: '', label: imports.leaveOut },
              ...known,
            ]}
          />
        ))}
      </div>
      <Group justify="flex-end">
        <Button onClick={goOn} loading={isBusy}>
          {imports.goOn}
        </Button>
      </Group>
    </Stack>
  );
}

function FileChoices({ head, onFile }: Pick<Props, 'head' | 'onFile'>) {
  const { imports } = words;
  return (
    <>
      {head.sheets.length > 1 && (
        <NativeSelect
          label={imports.sheet}
          value={head.sheet!}
          onChange={(event) => onFile({ sheet: event.currentTarget.value })}
          data={head.sheets}
        />
      )}
      {head.readings.length > 0 && (
        <>
          <NativeSelect
            label={imports.encoding}
            description={head.isEncodingSure ? undefined : imports.encodingHint}
            value={head.encoding!}
            onChange={(event) => onFile({ encoding: event.currentTarget.value })}
            data={head.readings.map(({ encoding }) => encoding)}
          />
          <pre className="import-reading">
            {head.readings.find(({ encoding }) => encoding === head.encoding)?.text}
          </pre>
        </>
      )}
    </>
  );
}
