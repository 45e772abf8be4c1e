import { SegmentedControl, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useGo, useSearch } from '../../address';
import { ConfirmDialog } from '../../parts/dialogs';
import { Form } from '../../parts/forms/form';
import { choicesOf, inputsOf, useRow } from '../../parts/inputs/inputs-of';
import { MessageBubble } from '../../parts/values/message-bubble';
import { PictureInput } from '../../parts/inputs/picture-input';
import { isSegment } from '../../parts/lists/segment';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words';
import { type Counted, type To, useCount } from './count';

const EMPTY = { name: '', text: '', imageUrl: '', buttonText: '', buttonUrl: '' };

/** Compose the message, see the number of recipients, type that number, send. */
export default function NewCampaignPage() {
  const [search] = useSearch();
  const [message, setMessage] = useRow(EMPTY);
  const [to, setTo] = useRow<To>({ kind: isSegment(search) ? 'segment' : 'all', listed: [] });
  const [counted, setCounted] = useState<Counted | null>(null);
  const { look, count } = useCount(setCounted);
  return (
    <Stack>
      <PageHead title={words.campaigns.create} />
      <div className="detail">
        <Section title={words.campaigns.message}>
          <Form
            values={{ ...message, ...to }}
            change={look}
            submit={{ label: words.campaigns.look }}
            onSubmit={() => void count(message, to)}
          >
            {(errorOf) => (
              <>
                <MessageInputs {...{ message, errorOf }} onChange={setMessage} />
                <Audience to={to} error={errorOf('audience')} onChange={setTo} />
              </>
            )}
          </Form>
        </Section>
        <Section title={words.campaigns.preview}>
          <MessageBubble text={message.text} imageUrl={message.imageUrl} buttonText={message.buttonText} />
        </Section>
      </div>
      {counted && <SendDialog {...counted} onClose={() => setCounted(null)} />}
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
  to: To;
  error?: string;
  onChange: (part: Partial<To>) => void;
}

function Audience({ to: { kind, listed }, error, onChange }: AudienceProps) {
  const [search] = useSearch();
  const kinds = isSegment(search) ? (['all', 'chosen', 'segment'] as const) : (['all', 'chosen'] as const);
  return (
    <>
      <div>
        <Text size="sm" fw={500} id="audience">
          {words.campaigns.audience}
        </Text>
        <SegmentedControl
          aria-labelledby="audience"
          data={choicesOf(kinds, words.campaigns)}
          value={kind}
          onChange={(value) => onChange({ kind: value as To['kind'] })}
        />
      </div>
      {kind === 'chosen' && (
        <TagsInput
          label={words.campaigns.customerIds}
          value={listed}
          onChange={(ids) => onChange({ listed: ids })}
          error={error}
        />
      )}
    </>
  );
}

function SendDialog({
  recipientCount,
  estimatedSeconds,
  inputs,
  onClose,
}: Counted & { onClose: () => void }) {
  const go = useGo();
  return (
    <ConfirmDialog
      title={words.campaigns.confirmTitle(recipientCount)}
      type={String(recipientCount)}
      submitLabel={words.campaigns.send}
      tone="indigo"
      change="send_campaign"
      input={inputs.map((input) => ({ ...input, confirm: true }))}
      onDone={({ campaignId }) =>
        go(campaignId && inputs.length === 1 ? `campaigns/${campaignId}` : 'campaigns', {
          ignoreBlocker: true,
        })
      }
      onClose={onClose}
    >
      {words.campaigns.confirmText(estimatedSeconds)}
    </ConfirmDialog>
  );
}
