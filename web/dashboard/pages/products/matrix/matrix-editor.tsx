import './matrix.css';
import { ActionIcon, Button, Checkbox, Input, Stack, Text, TextInput } from '@mantine/core';
import { useStore } from '../../../api/store';
import type { FieldProps } from '../../../parts/forms/field';
import { PlusIcon, TrashIcon } from '../../../parts/icons';
import { DecimalInput } from '../../../parts/inputs/decimal-input';
import { TextsInput } from '../../../parts/inputs/texts-input';
import { words } from '../../../words/all';
import { type Cell, cellOf, type Matrix, MOST, newNamesOf, type Option, sizeOf, type Stored } from './matrix';
import { withOption, withoutOption } from './options';

const NOTHING: Matrix = { options: [], cells: {} };
const MOST_OPTIONS = 3;

interface EditorProps extends Pick<FieldProps, 'label' | 'description' | 'error' | 'value'> {
  /** The variants that the product has already, which are not shown. */
  stored?: Stored[];
  onChange: (matrices: Matrix[]) => void;
}

/** The variants to create of a product: its options, and price and stock of each combination. */
export function MatrixEditor({ label, description, error, stored = [], value, onChange }: EditorProps) {
  const given = (value as Matrix[] | undefined) ?? [];
  const matrices = given.length === 0 ? [NOTHING] : given;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <div>
        <Text fw={600} size="sm">
          {label}
        </Text>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </div>
      {matrices.map((matrix, i) => (
        <OneMatrix
          key={i}
          matrix={matrix}
          stored={stored}
          onChange={(changed) => onChange(matrices.with(i, changed))}
        />
      ))}
      {error && (
        <Input.Error role="alert" tabIndex={-1}>
          {error}
        </Input.Error>
      )}
    </Stack>
  );
}

interface Props {
  matrix: Matrix;
  stored: Stored[];
  onChange: (matrix: Matrix) => void;
}

function OneMatrix({ matrix, stored, onChange }: Props) {
  const { options } = matrix;
  return (
    <>
      {options.map((option, i) => (
        <OptionRow
          key={i}
          option={option}
          name={option.title || `${words.products.option} ${i + 1}`}
          onChange={(part) => onChange(withOption(matrix, i, { ...option, ...part }))}
          onRemove={() => onChange(withoutOption(matrix, i))}
        />
      ))}
      {options.length < MOST_OPTIONS && (
        <div>
          <Button
            variant="default"
            size="sm"
            leftSection={<PlusIcon size={16} />}
            onClick={() => onChange({ ...matrix, options: [...options, { title: '', values: [] }] })}
          >
            {words.products.addOption}
          </Button>
        </div>
      )}
      <Combinations matrix={matrix} stored={stored} onChange={onChange} />
    </>
  );
}

/** Its values would be stored under a title that lacks a part, so the form is not sent (form.tsx). */
const UNNAMED = () => ({ error: words.refusals.required, 'data-unreadable': true });

interface OptionProps {
  option: Option;
  name: string;
  onChange: (part: Partial<Option>) => void;
  onRemove: () => void;
}

const OptionRow = ({ option: { title, values }, name, onChange, onRemove }: OptionProps) => (
  <div className="matrix-option">
    <TextInput
      label={words.products.option}
      placeholder={words.products.optionExample}
      value={title}
      {...(values.length > 0 && title.trim() === '' && UNNAMED())}
      onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
    />
    <TextsInput
      label={words.products.valuesOf(name)}
      placeholder={values.length === 0 ? words.products.valuesExample : undefined}
      value={values}
      onChange={(changed) => onChange({ values: changed })}
    />
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`${words.common.remove}: ${name}`}
      onClick={onRemove}
    >
      <TrashIcon />
    </ActionIcon>
  </div>
);

function Combinations({ matrix, stored, onChange }: Props) {
  if (sizeOf(matrix) > MOST)
    // Only some of them would be sent, so the form is not sent (form.tsx).
    return (
      <Input.Error role="alert" tabIndex={-1} data-unreadable>
        {words.products.tooMany(MOST)}
      </Input.Error>
    );
  const set = (name: string, part: Partial<Cell>) =>
    onChange({ ...matrix, cells: { ...matrix.cells, [name]: { ...cellOf(matrix, name), ...part } } });
  return (
    <ul className="plain-list">
      {newNamesOf(matrix, stored).map((name) => (
        <Combination
          key={name}
          name={name}
          cell={cellOf(matrix, name)}
          onChange={(part) => set(name, part)}
        />
      ))}
    </ul>
  );
}

interface CombinationProps {
  name: string;
  cell: Cell;
  onChange: (part: Partial<Cell>) => void;
}

function Combination({ name, cell, onChange }: CombinationProps) {
  const { currencyDecimals } = useStore();
  const { products } = words;
  const input = (field: 'price' | 'salePrice' | 'itemAmount', label: string) => (
    <DecimalInput
      aria-label={`${label}: ${name}`}
      placeholder={label}
      disabled={cell.isLeftOut}
      isAmount={field !== 'itemAmount'}
      decimals={field === 'itemAmount' ? 0 : currencyDecimals}
      value={cell[field]}
      onChange={(value) => onChange({ [field]: value })}
    />
  );
  return (
    <li className="matrix-row">
      <Checkbox
        label={name}
        checked={!cell.isLeftOut}
        onChange={({ currentTarget }) => onChange({ isLeftOut: !currentTarget.checked })}
      />
      {input('price', products.price)}
      {input('salePrice', products.salePrice)}
      {input('itemAmount', products.stock)}
    </li>
  );
}
