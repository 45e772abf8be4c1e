import { Button, Code, Group, List, Radio, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from '../../address';
import { may, type ScopeName } from '../../api/access';
import { INCLUDED } from '../../api/generated/access';
import { SCOPES } from '../../api/generated/operations';
import { useStore } from '../../api/store';
import { CopyBlock, CopyText } from '../../parts/values/copy';
import { SecretDialog } from '../../parts/dialogs';
import { type NewToken, NewTokenDialog, ScopeChoice } from '../../parts/forms/new-token';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';
import { type Host, hostName, HOSTS, textOf } from './hosts';

/** The address for agents, next to the pages and below the service's path, if it has one. */
const mcpAddress = () => new URL('../mcp', document.baseURI).href;
const NO_TOKEN = 'shop_live_…';

export default function AgentsPage() {
  const [search, setSearch] = useSearch();
  const host = HOSTS.find((one) => hostName(one) === search.host) ?? HOSTS[0];
  return (
    <Stack>
      <PageHead title={words.pages.agents} hint={words.agents.hint} />
      <Section title={words.agents.host}>
        <Text size="sm" component="div">
          {words.agents.address} <CopyText text={mcpAddress()} />
        </Text>
        <Select
          label={words.agents.choose}
          data={HOSTS.map(hostName)}
          allowDeselect={false}
          value={hostName(host)}
          onChange={(name) => setSearch({ host: name })}
          maw={360}
        />
        <Instructions key={hostName(host)} host={host} />
      </Section>
      <Tools />
    </Stack>
  );
}

function Instructions({ host }: { host: Host }) {
  const [byToken, setByToken] = useState(false);
  const [created, setCreated] = useState<NewToken | null>(null);
  const url = mcpAddress();
  const steps = byToken && host.byToken ? host.byToken(url, created?.token ?? NO_TOKEN) : host.bySignIn(url);
  return (
    <Stack gap="md">
      {host.byToken ? (
        <Radio.Group
          label={words.agents.how}
          value={byToken ? 'token' : 'sign-in'}
          onChange={(value) => setByToken(value === 'token')}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="sign-in" label={words.agents.bySignIn} description={words.agents.bySignInHint} />
            <Radio value="token" label={words.agents.byToken} description={words.agents.byTokenHint} />
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">{words.agents.signInOnly}</Text>
      )}
      {byToken && <CreateToken name={hostName(host)} onCreated={setCreated} />}
      <List type="ordered" spacing="sm" size="sm">
        {steps.map((step) => (
          <List.Item key={textOf(step) + step.code} styles={{ itemWrapper: { display: 'block' } }}>
            {textOf(step)}
            {step.code && <CopyBlock text={step.code} label={textOf(step)} />}
          </List.Item>
        ))}
      </List>
      {created && <Shown key={created.id} token={created} />}
    </Stack>
  );
}

function CreateToken({ name, onCreated }: { name: string; onCreated: (token: NewToken) => void }) {
  const { role } = useStore();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!may(role, 'admin')) return <Text size="sm">{words.agents.askOwner}</Text>;
  return (
    <Group>
      <Button onClick={() => setOpen(true)}>{words.creates.token}</Button>
      {isOpen && <NewTokenDialog name={name} onCreated={onCreated} onClose={close} />}
    </Group>
  );
}

/** The token is shown once in a dialog, and in the steps above as long as the page is open. */
function Shown({ token }: { token: NewToken }) {
  const [open, setOpen] = useState(true);
  if (!open) return null;
  return (
    <SecretDialog title={words.tokens.made(token.name)} secret={token.token} onClose={() => setOpen(false)} />
  );
}

/** The tools that an agent with a scope sees: those of the scope and of the lower ones. */
function Tools() {
  const [scope, setScope] = useState<ScopeName>('read');
  const included: readonly string[] = INCLUDED[scope];
  const tools = Object.entries(SCOPES).filter(([, needed]) => included.includes(needed));
  return (
    <Section title={words.agents.tools}>
      <ScopeChoice value={scope} onChange={setScope} />
      <Text size="sm" role="status">
        {words.agents.toolCount(tools.length)}
      </Text>
      <Group gap={6} component="ul" className="plain-list">
        {tools.map(([name]) => (
          <li key={name}>
            <Code>{name}</Code>
          </li>
        ))}
      </Group>
    </Section>
  );
}
