import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../../words/all';
import { percent } from '../values/format';
import { Badge } from '../values/values';

interface Props {
  label: string;
  value: ReactNode;
  /** The change from an earlier period in percent; null if there was nothing, undefined if not compared. */
  change?: number | null;
  /** What the number leaves out. */
  hint?: string;
}

/** A number with its name, and how it differs from an earlier one. */
export const Figure = ({ label, value, change, hint }: Props) => (
  <div className="surface figure">
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text fz={22} fw={650} component="div">
      {value}
    </Text>
    {change !== undefined && <Change of={change} />}
    {hint && (
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    )}
  </div>
);

/** The change from the earlier period, shown in words and not only by colour. */
function Change({ of: change }: { of: number | null }) {
  if (change === null) return <Badge tone="grey">{words.figures.noBefore}</Badge>;
  const sign = change > 0 ? '+' : '';
  return (
    <Badge tone={change > 0 ? 'green' : change < 0 ? 'red' : 'grey'}>{sign + percent(change / 100)}</Badge>
  );
}
