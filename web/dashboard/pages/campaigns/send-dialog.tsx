import { Alert, Progress } from '@mantine/core';
import { useRef, useState } from 'react';
import { useGo } from '../../address';
import { isAnswer, useChange } from '../../api/change';
import { useStore } from '../../api/store';
import { Warnings } from '../../notify';
import { AskDialog } from '../../parts/dialogs';
import { words } from '../../words/all';
import type { Counted } from './count';
import { dropDraft, type Part, peopleOf } from './draft';

interface Props extends Counted {
  /** Told what is still to be sent, before each call and after it: the page may be left meanwhile. */
  onLeft: (parts: Part[]) => void;
  onClose: () => void;
}

/** Asks for the number of recipients, and sends part by part, until the messenger wants a pause. */
export function SendDialog({ parts, estimatedSeconds, warnings, isRest, onLeft, onClose }: Props) {
  const go = useGo();
  const store = useStore();
  const isBegun = useRef(isRest);
  const change = useChange('send_campaign', {
    refusals: 'form',
    onFailed: (error) => {
      // Without an answer nobody knows what was sent. A first call that was refused has sent nothing.
      if (!isAnswer(error)) isBegun.current = true;
      else if (!isBegun.current) onLeft([]);
    },
  });
  // What was sent before a refusal is not sent again.
  const [made, setMade] = useState(0);
  const people = peopleOf(parts);
  const send = async () => {
    for (let i = made; i < parts.length; i++) {
      onLeft(parts.slice(i));
      const { input, key } = parts[i];
      const data = await change.make({ ...input, confirm: true }, { idempotencyKey: key });
      if (!data) return;
      const { campaignId, pending } = data;
      isBegun.current = true;
      if (pending) {
        onLeft([{ ...parts[i], recipientCount: pending, campaignId }, ...parts.slice(i + 1)]);
        return onClose();
      }
      setMade(i + 1);
      if (i + 1 < parts.length) continue;
      onClose();
      dropDraft(store.id);
      go(campaignId && parts.length === 1 ? `campaigns/${campaignId}` : 'campaigns', { ignoreBlocker: true });
    }
  };
  const title = words.campaigns.confirmTitle(people);
  return (
    <AskDialog
      title={title}
      type={isRest ? undefined : String(people)}
      submitLabel={words.campaigns.send}
      tone="indigo"
      change={change}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      {words.campaigns.confirmText(estimatedSeconds)}
      {warnings.length > 0 && (
        <Alert color="yellow" mt="sm">
          <Warnings all={warnings} />
        </Alert>
      )}
      {parts.length > 1 && made > 0 && (
        <Progress value={(100 * made) / parts.length} aria-label={title} mt="sm" />
      )}
    </AskDialog>
  );
}
