import { Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { target as addressOf, useSearch } from '../../address';
import { useStore } from '../../api/store';
import { CopyBlock, CopyText } from '../../parts/values/copy';
import { Diff } from '../../parts/values/diff';
import { Facts } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words';
import { type AuditRow, OutcomeBadge } from './outcome-badge';
import { nameOf, nameOfCall, placeOf } from './targets';

/** Everything that the audit log stores about one call. */
export function AuditDrawer({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const [, setSearch] = useSearch();
  const { at, actor, operation, transport, action, target, input, changes, outcome, requestId } = row;
  const only = (filter: Record<string, string | null>) => setSearch({ ...filter, row: null });
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={nameOfCall(action, operation)}>
      <Stack gap="lg">
        <Facts
          facts={[
            [words.audit.operation, <Code key="operation">{operation}</Code>],
            [words.audit.target, target && <TargetLink key="target" target={target} />],
            [words.audit.who, `${actor.name} (${words.audit.actors[actor.kind]})`],
            [words.audit.how, words.audit.transports[transport]],
            [words.audit.outcome, <OutcomeBadge key="outcome" outcome={outcome} />],
            [words.audit.when, <When key="at" iso={at} />],
            [words.refusals.requestId, <CopyText key="request" text={requestId} />],
          ]}
        />
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
        <Stack gap="xs">
          <Title order={3}>{words.audit.changes}</Title>
          {changes && Object.keys(changes).length > 0 ? (
            <Diff changes={changes} />
          ) : (
            <Text size="sm" c="dimmed">
              {words.audit.noChanges}
            </Text>
          )}
        </Stack>
        <Stack gap="xs">
          <Title order={3}>{words.audit.input}</Title>
          <CopyBlock text={JSON.stringify(input, null, 2)} label={words.audit.input} />
        </Stack>
      </Stack>
    </Drawer>
  );
}

function TargetLink({ target }: { target: string }) {
  const { id } = useStore();
  const place = placeOf(target);
  return place ? <Link {...addressOf(id, place)}>{nameOf(target)}</Link> : <>{nameOf(target)}</>;
}
