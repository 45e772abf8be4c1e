import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/forms/form';
import { localTime, utcTime, withZone } from '../../parts/values/time-zone';
import { words } from '../../words/all';

const A_DAY_MS = 86_400_000;

/** Sends all deliveries that failed since a given time once more. */
export function ResendButton() {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {words.webhooks.resendFailed}
      </Button>
      {isAsked && <ResendDialog onClose={() => setAsked(false)} />}
    </>
  );
}

function ResendDialog({ onClose }: { onClose: () => void }) {
  const resend = useChange('POST stores/{storeId}/webhook/deliveries/redeliver-failed', {
    done: ({ redelivered, hasMore }) =>
      `${words.webhooks.resent(redelivered)} ${hasMore ? words.webhooks.resentMore : ''}`.trim(),
    refusals: 'form',
    onDone: onClose,
  });
  const [since, setSince] = useState(() => localTime(new Date(Date.now() - A_DAY_MS).toISOString()));
  const submit = () => void resend.make({ since: utcTime(since)! });
  return (
    <Dialog onClose={onClose} title={words.webhooks.resendFailed}>
      <Form
        values={{ since }}
        change={resend}
        submit={{ label: words.webhooks.resend }}
        isCheckedByBrowser
        onSubmit={submit}
      >
        {(errorOf) => (
          <TextInput
            type="datetime-local"
            label={words.webhooks.since}
            description={withZone(words.webhooks.sinceHint)}
            required
            value={since}
            error={errorOf('since')}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
            data-autofocus
          />
        )}
      </Form>
    </Dialog>
  );
}
