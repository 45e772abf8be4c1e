import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../words';
import { useTabTitle } from './values/tab-title';

/** Shown in place of an empty list: explains its purpose and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap={6} py={56} px="md">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" ta="center" maw={420}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}

/** A placeholder for a list while it loads. */
export function LoadingRows({ count = 6 }: { count?: number }) {
  return (
    <Stack gap={0} role="status" aria-busy="true" aria-label={words.common.loading}>
      {Array.from({ length: count }, (_, i) => (
        <Group key={i} px="md" h={52} gap="xl" wrap="nowrap">
          <Skeleton h={12} w={64} />
          <Skeleton h={12} flex={1} />
          <Skeleton h={20} w={90} radius="xl" />
        </Group>
      ))}
    </Stack>
  );
}

/** A placeholder for a form or a page of details while it loads. */
export function LoadingBlock({ lines = 5 }: { lines?: number }) {
  return (
    <Stack gap="md" p="md" role="status" aria-busy="true" aria-label={words.common.loading}>
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} h={i === 0 ? 24 : 36} w={i === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  );
}

interface HeadProps {
  title: ReactNode;
  /** Names the browser's tab, if the title is more than a text. */
  tab?: string;
  hint?: ReactNode;
  children?: ReactNode;
}

/** The head of a page: its only first-level heading, a line of text below it, and the page's actions. */
export function PageHead({ title, tab, hint, children }: HeadProps) {
  useTabTitle(tab ?? (typeof title === 'string' ? title : undefined));
  return (
    <Group justify="space-between" align={hint ? 'flex-start' : 'center'} gap="sm">
      <div className="head-text">
        <Title order={1}>{title}</Title>
        {hint && (
          <Text size="sm" c="dimmed" mt={4}>
            {hint}
          </Text>
        )}
      </div>
      <Group gap="xs" className="head-actions no-print">
        {children}
      </Group>
    </Group>
  );
}

/** A box with a second-level heading. */
export function Section({
  title,
  hint,
  children,
  actions,
}: {
  title?: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <section className="surface">
      <Stack gap="sm" p="md">
        {(title || actions) && (
          <Group justify="space-between">
            {title && <Title order={2}>{title}</Title>}
            {actions}
          </Group>
        )}
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
        {children}
      </Stack>
    </section>
  );
}

/**
 * A list of names and values: `<Facts facts={[['Carrier', order.carrier]]} />`. Empty values are left out.
 */
export function Facts({ facts }: { facts: [string, ReactNode][] }) {
  const given = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl className="facts">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="as-typed">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
