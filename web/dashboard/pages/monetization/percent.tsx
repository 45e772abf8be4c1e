import { DecimalInput } from '../../parts/inputs/decimal-input';

interface Props {
  label: string;
  value: number;
  error?: string;
  onChange: (value: number) => void;
}

export const Percent = ({ onChange, ...field }: Props) => (
  <DecimalInput {...field} decimals={4} rightSection="%" onChange={(value) => onChange(value ?? 0)} />
);
