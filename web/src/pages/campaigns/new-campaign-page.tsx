import { SegmentedControl, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useGo } from '../../address';
import type { Input } from '../../api/client';
import { useChange } from '../../api/change';
import { ConfirmDialog } from '../../parts/dialogs';
import { Form } from '../../parts/forms/form';
import { choicesOf, inputsOf, useRow } from '../../parts/inputs/inputs-of';
import { MessageBubble } from '../../parts/values/message-bubble';
import { PictureInput } from '../../parts/inputs/picture-input';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words';

const EMPTY = { name: '', text: '', imageUrl: '', buttonText: '', buttonUrl: '' };

/** Everything about the campaign but its message: to all shoppers, or to those listed. */
const NOBODY = { toAll: true, audience: [] as string[] };

function inputOf(message: typeof EMPTY, { toAll, audience }: typeof NOBODY): Input<'send_campaign'> {
  const given = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== ''));
  const to = toAll ? { all: true } : { customerIds: audience };
  return { ...given, audience: to } as Input<'send_campaign'>;
}

interface Counted {
  recipientCount: number;
  estimatedSeconds?: number;
}

/** Compose the message, see the number of recipients, type that number, send. */
export default function NewCampaignPage() {
  const [message, setMessage] = useRow(EMPTY);
  const [to, setTo] = useRow(NOBODY);
  const [counted, setCounted] = useState<Counted | null>(null);
  const look = useChange('send_campaign', { refusals: 'form', onDone: setCounted });
  const input = inputOf(message, to);
  return (
    <Stack>
      <PageHead title={words.campaigns.create} />
      <div className="detail">
        <Section title={words.campaigns.message}>
          <Form
            values={{ ...message, ...to }}
            change={look}
            submit={{ label: words.campaigns.look }}
            onSubmit={() => void look.make(input)}
          >
            {(errorOf) => (
              <>
                <MessageInputs {...{ message, errorOf }} onChange={setMessage} />
                <Audience {...to} error={errorOf('audience')} onChange={setTo} />
              </>
            )}
          </Form>
        </Section>
        <Section title={words.campaigns.preview}>
          <MessageBubble text={message.text} imageUrl={message.imageUrl} buttonText={message.buttonText} />
        </Section>
      </div>
      {counted && <SendDialog {...{ counted, input }} onClose={() => setCounted(null)} />}
    </Stack>
  );
}

interface MessageProps {
  message: typeof EMPTY;
  onChange: (part: Partial<typeof EMPTY>) => void;
  errorOf: (name: string) => string | undefined;
}

function MessageInputs({ message, onChange, errorOf }: MessageProps) {
  const inputs = inputsOf(message, onChange, errorOf);
  const { fields } = words.campaigns;
  return (
    <>
      <TextInput
        {...inputs.text('name')}
        label={fields.name}
        description={words.campaigns.nameHint}
        required
      />
      <Textarea {...inputs.text('text')} label={fields.text} autosize minRows={4} required />
      <PictureInput {...inputs.value('imageUrl')} label={fields.imageUrl} />
      <TextInput {...inputs.text('buttonText')} label={fields.buttonText} />
      <TextInput {...inputs.text('buttonUrl')} label={fields.buttonUrl} type="url" placeholder="https://" />
    </>
  );
}

interface AudienceProps {
  toAll: boolean;
  audience: string[];
  error?: string;
  onChange: (part: { toAll?: boolean; audience?: string[] }) => void;
}

function Audience({ toAll, audience, error, onChange }: AudienceProps) {
  return (
    <>
      <div>
        <Text size="sm" fw={500} id="audience">
          {words.campaigns.audience}
        </Text>
        <SegmentedControl
          aria-labelledby="audience"
          data={choicesOf(['all', 'chosen'], words.campaigns)}
          value={toAll ? 'all' : 'chosen'}
          onChange={(value) => onChange({ toAll: value === 'all' })}
        />
      </div>
      {!toAll && (
        <TagsInput
          label={words.campaigns.customerIds}
          value={audience}
          onChange={(ids) => onChange({ audience: ids })}
          error={error}
        />
      )}
    </>
  );
}

interface SendProps {
  counted: Counted;
  input: Input<'send_campaign'>;
  onClose: () => void;
}

function SendDialog({ counted: { recipientCount, estimatedSeconds }, input, onClose }: SendProps) {
  const go = useGo();
  return (
    <ConfirmDialog
      title={words.campaigns.confirmTitle(recipientCount)}
      type={String(recipientCount)}
      submitLabel={words.campaigns.send}
      tone="indigo"
      change="send_campaign"
      input={{ ...input, confirm: true }}
      onDone={({ campaignId }) =>
        go(campaignId ? `campaigns/${campaignId}` : 'campaigns', { ignoreBlocker: true })
      }
      onClose={onClose}
    >
      {words.campaigns.confirmText(estimatedSeconds ?? 0)}
    </ConfirmDialog>
  );
}
