import { NumberInput } from '@mantine/core';

interface Props {
  label: string;
  value: number;
  error?: string;
  onChange: (value: number) => void;
}

export const Percent = ({ onChange, ...field }: Props) => (
  <NumberInput
    {...field}
    min={0}
    max={100}
    clampBehavior="none"
    suffix=" %"
    onChange={(value) => onChange(Number(value))}
  />
);
