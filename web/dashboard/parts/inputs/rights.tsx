import { Checkbox, PasswordInput, SimpleGrid, Stack, Text } from '@mantine/core';
import type { GroupName } from '../../api/access';
import { GROUPS } from '../../api/generated/access';
import { useAccount } from '../../api/queries';
import { words } from '../../words/all';

const titleOf = (name: string): string => words.groups.names[name as GroupName] ?? name;

/** Groups and names of operations in a list; all of them without a narrowing. */
export const groupsText = (groups: readonly string[] | null): string =>
  groups === null ? words.groups.all : groups.map(titleOf).join(', ');

interface Props {
  value: string[] | null;
  error?: string;
  onChange: (groups: string[] | null) => void;
}

/** To which groups somebody is narrowed. Names of operations that were given elsewhere stay as they are. */
export function GroupsChoice({ value, error, onChange }: Props) {
  const names = value?.filter((name) => !(GROUPS as readonly string[]).includes(name)) ?? [];
  return (
    <Stack gap="xs">
      <Checkbox
        label={words.groups.every}
        description={words.groups.hint}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [])}
      />
      {value !== null && (
        <Checkbox.Group label={words.groups.title} value={value} error={error} onChange={onChange}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
            {[...GROUPS, ...names].map((name) => (
              <Checkbox key={name} value={name} label={titleOf(name)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

/** The password, or a code if the account has a second factor, under the field's name. */
export interface Proof {
  currentPassword?: string;
  code?: string;
}

/** What a change has to be confirmed with, from what was typed. */
export function useProof(typed: string): { name: keyof Proof; proof: Proof; isPending: boolean } {
  const { data, isPending } = useAccount('GET auth/second-factor');
  const name = data?.enabled ? 'code' : 'currentPassword';
  return { name, proof: { [name]: name === 'code' ? typed.trim() : typed }, isPending };
}

interface ProofInputProps {
  name: keyof Proof;
  value: string;
  error?: string;
  onChange: (typed: string) => void;
}

/** Asks once more for the password, or for a code, before a change that a stolen session must not make. */
export const ProofInput = ({ name, value, error, onChange }: ProofInputProps) => (
  <Stack gap="xs">
    <Text size="sm">{words.groups.proofHint}</Text>
    <PasswordInput
      label={name === 'code' ? words.signIn.code : words.security.currentPassword}
      required
      autoComplete={name === 'code' ? 'one-time-code' : 'current-password'}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </Stack>
);
