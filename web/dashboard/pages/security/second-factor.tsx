import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useAccount } from '../../api/queries';
import { SecretDialog } from '../../parts/dialogs';
import { Failure } from '../../parts/failure';
import { LoadingBlock, Section } from '../../parts/states';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';
import { EnrolDialog } from './enrol-dialog';
import { ProofDialog } from './proof-dialog';

type Asked = 'on' | 'off' | 'codes';

/** The code from the person's phone at sign-in, and the recovery codes for a lost phone. */
export function SecondFactor() {
  const factor = useAccount('GET auth/second-factor');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setAsked(null);
  if (factor.error) return <Failure error={factor.error} retry={() => void factor.refetch()} />;
  if (!factor.data) return <LoadingBlock lines={2} />;
  const { enabled, enabledAt, recoveryCodesLeft } = factor.data;
  const ask = (what: Asked, label: string) => (
    <Button variant="default" onClick={() => setAsked(what)}>
      {label}
    </Button>
  );
  const state = (
    <Badge tone={enabled ? 'green' : 'grey'}>{enabled ? words.security.on : words.security.off}</Badge>
  );
  return (
    <Section title={words.security.secondFactor} hint={words.security.secondFactorHint} actions={state}>
      {enabled && (
        <Text size="sm">
          {words.security.onSince} <When iso={enabledAt} />. {words.security.codesLeft(recoveryCodesLeft)}
        </Text>
      )}
      <Group gap="xs">
        {enabled && ask('codes', words.security.newCodes)}
        {enabled && ask('off', words.security.turnOff)}
        {!enabled && <Button onClick={() => setAsked('on')}>{words.security.turnOn}</Button>}
      </Group>
      {asked === 'on' && <EnrolDialog onCodes={setCodes} onClose={close} />}
      {asked === 'off' && <ProofDialog what="disable" onClose={close} />}
      {asked === 'codes' && <ProofDialog what="recovery-codes" onCodes={setCodes} onClose={close} />}
      {codes && (
        <SecretDialog title={words.security.codes} secret={codes.join('\n')} onClose={() => setCodes(null)}>
          <Text size="sm">{words.security.codesHint}</Text>
        </SecretDialog>
      )}
    </Section>
  );
}
