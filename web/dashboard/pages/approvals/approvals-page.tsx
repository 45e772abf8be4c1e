import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Sentence } from '../../../../src/platform/problems';
import { useChange } from '../../api/change';
import type { RouteOutput } from '../../api/client';
import { useRead } from '../../api/queries';
import { Warnings } from '../../notify';
import { Problem } from '../../parts/problem';
import { LoadingBlock, PageHead } from '../../parts/states';
import { Badge, When } from '../../parts/values/values';
import { words } from '../../words/all';

type Approval = RouteOutput<'GET stores/{storeId}/approvals'>['items'][number];

const REFRESH_MS = 15_000;

/** What agents want to do: nothing happens until a person has pressed Apply. */
export default function ApprovalsPage() {
  const query = useRead('GET stores/{storeId}/approvals', {}, { refetchInterval: REFRESH_MS });
  return (
    <Stack maw={960}>
      <PageHead title={words.pages.approvals} hint={words.approvals.hint} />
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <LoadingBlock />}
      {query.data?.items.length === 0 && <Text>{words.approvals.empty}</Text>}
      {query.data?.items.map((approval) => (
        <OneApproval key={approval.id} {...approval} />
      ))}
    </Stack>
  );
}

function OneApproval({ id, by, question, warnings, rows, state, expiresAt }: Approval) {
  const apply = useChange('POST stores/{storeId}/approvals/{id}/apply', { done: words.approvals.done });
  const decline = useChange('POST stores/{storeId}/approvals/{id}/decline', {
    done: words.approvals.declinedNow,
  });
  const isBusy = apply.isPending || decline.isPending;
  return (
    <Paper withBorder p="md" component="section" aria-label={question}>
      <Stack gap="sm">
        <Group justify="space-between" align="start">
          <Title order={2} size="h4" style={{ whiteSpace: 'pre-wrap' }}>
            {question}
          </Title>
          <Badge tone={state === 'waiting' ? 'amber' : 'grey'}>{words.approvals.states[state]}</Badge>
        </Group>
        <Text size="sm">
          {words.approvals.by(by)} · {words.approvals.until} <When iso={expiresAt} short />
        </Text>
        {warnings.length > 0 && (
          <Alert color="yellow">
            <Warnings all={warnings as Sentence[]} />
          </Alert>
        )}
        <Rows rows={rows} />
        {state === 'waiting' && (
          <Group>
            <Button disabled={isBusy} onClick={() => void apply.make({ id })}>
              {words.approvals.apply}
            </Button>
            <Button variant="default" disabled={isBusy} onClick={() => void decline.make({ id })}>
              {words.approvals.decline}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

const MOST_ROWS = 100;

function Rows({ rows }: Pick<Approval, 'rows'>) {
  const { record, field, before, after } = words.approvals;
  const hidden = rows.length - MOST_ROWS;
  return (
    <>
      <div className="list-scroll">
        <table className="table">
          <thead>
            <tr>
              {[record, field, before, after].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((row, i) => (
              <tr key={i}>
                <th scope="row">{row.record}</th>
                <td>{row.field}</td>
                <td>{row.before}</td>
                <td style={{ whiteSpace: 'pre-wrap' }}>{row.after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && <Text size="sm">{words.approvals.more(hidden)}</Text>}
    </>
  );
}
