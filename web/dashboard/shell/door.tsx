import { Center, Paper, PasswordInput, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { words } from '../words';

/** The layout of a page without a store: one box in the middle. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper className="surface" p="xl" w="100%" maw={400}>
        <Stack>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}

/** A field for a password that the person chooses here. */
export const NewPassword = (field: { name: string; label: string; error?: string }) => (
  <PasswordInput
    {...field}
    description={words.signIn.newPasswordHint}
    autoComplete="new-password"
    required
    autoFocus
  />
);
