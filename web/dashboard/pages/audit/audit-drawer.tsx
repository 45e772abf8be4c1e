import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useSearch } from '../../address';
import { Dialog } from '../../parts/dialog';
import { GoTo } from '../../parts/go-to';
import { CopyBlock, CopyText } from '../../parts/values/copy';
import { Diff } from '../../parts/values/diff';
import { Facts } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words/all';
import { type AuditRow, OutcomeBadge } from './outcome-badge';
import { nameOf, nameOfCall, placeOf } from './targets';

/** Everything that the audit log stores about one call. */
export function AuditDrawer({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  return (
    <Dialog side size="lg" title={nameOfCall(row.action, row.operation)} onClose={onClose}>
      <Stack gap="lg">
        <CallFacts {...row} />
        <OnlyButtons {...row} />
        <Stack gap="xs">
          <Title order={3}>{words.audit.changes}</Title>
          {row.changes && Object.keys(row.changes).length > 0 ? (
            <Diff changes={row.changes} />
          ) : (
            <Text size="sm" c="dimmed">
              {words.audit.noChanges}
            </Text>
          )}
        </Stack>
        <Stack gap="xs">
          <Title order={3}>{words.audit.input}</Title>
          <CopyBlock text={JSON.stringify(row.input, null, 2)} label={words.audit.input} />
        </Stack>
      </Stack>
    </Dialog>
  );
}

const CallFacts = ({ at, actor, operation, transport, target, label, outcome, requestId }: AuditRow) => (
  <Facts
    facts={[
      [words.audit.operation, <Code key="operation">{operation}</Code>],
      [words.audit.target, target && <TargetLink key="target" target={target} name={label} />],
      [words.audit.who, `${actor.name} (${words.audit.actors[actor.kind]})`],
      [words.audit.how, words.audit.transports[transport]],
      [words.audit.outcome, <OutcomeBadge key="outcome" outcome={outcome} />],
      [words.audit.when, <When key="at" iso={at} />],
      [words.refusals.requestId, <CopyText key="request" text={requestId} />],
    ]}
  />
);

/** Buttons that leave only the rows of the same person or record in the list. */
function OnlyButtons({ actor, target }: AuditRow) {
  const [, setSearch] = useSearch();
  const only = (filter: Record<string, string | null>) => setSearch({ ...filter, row: null });
  return (
    <Group gap="xs">
      {actor.id && (
        <Button variant="default" onClick={() => only({ actor: actor.id, actorName: actor.name })}>
          {words.audit.onlyActor}
        </Button>
      )}
      {target && (
        <Button variant="default" onClick={() => only({ target })}>
          {words.audit.onlyTarget}
        </Button>
      )}
    </Group>
  );
}

function TargetLink({ target, name }: { target: string; name: string | null }) {
  const [place, text] = [placeOf(target), nameOf(target, name)];
  return place ? <GoTo to={place}>{text}</GoTo> : <>{text}</>;
}
