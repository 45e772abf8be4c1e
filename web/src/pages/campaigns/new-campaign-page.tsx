import { Alert, Button, Input, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useGo, useSearch } from '../../address';
import { useStore } from '../../api/store';
import { Warnings } from '../../notices';
import { ConfirmDialog } from '../../parts/dialogs';
import { Form } from '../../parts/forms/form';
import { choicesOf, inputsOf, useRow } from '../../parts/inputs/inputs-of';
import { MessageBubble } from '../../parts/values/message-bubble';
import { PictureInput } from '../../parts/inputs/picture-input';
import { isSegment } from '../../parts/lists/segment';
import { later } from '../../parts/later';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words';
import { type Counted, type To, useCount } from './count';
import { dropDraft, useDraft, useKeptDraft } from './draft';
import { EMPTY, type Message } from './message';
import { TestButton } from './test-button';

const CustomersInput = later(() => import('./customers-input').then((file) => file.CustomersInput));

/**
 * Compose the message, see the number of recipients, type that number, send. What is typed stays in the
 * browser until it is sent, so leaving the page loses nothing.
 */
export default function NewCampaignPage() {
  const [search] = useSearch();
  const draft = useDraft();
  const [message, setMessage] = useRow<Message>({ ...EMPTY, ...draft?.message });
  const listed = draft?.listed ?? [];
  const kind = listed.length > 0 ? 'chosen' : 'all';
  const [to, setTo] = useRow<To>({ kind: isSegment(search) ? 'segment' : kind, listed });
  const isEmpty = Object.values(message).every((text) => text === '') && to.listed.length === 0;
  useKeptDraft({ message, listed: to.listed }, isEmpty);
  const [counted, setCounted] = useState<Counted | null>(null);
  const { look, count } = useCount(setCounted);
  return (
    <Stack>
      <PageHead title={words.campaigns.create} hint={words.campaigns.draftHint}>
        {!isEmpty && (
          <Button
            variant="default"
            onClick={() => {
              setMessage(EMPTY);
              setTo({ listed: [] });
            }}
          >
            {words.campaigns.dropDraft}
          </Button>
        )}
      </PageHead>
      <div className="detail">
        <Section title={words.campaigns.message}>
          <Form
            values={{ ...message, ...to }}
            isDirty={false}
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
          <TestButton message={message} />
        </Section>
      </div>
      {counted && <SendDialog {...counted} onClose={() => setCounted(null)} />}
    </Stack>
  );
}

interface MessageProps {
  message: Message;
  onChange: (part: Partial<Message>) => void;
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
        <Input.Label labelElement="div" id="audience">
          {words.campaigns.audience}
        </Input.Label>
        <SegmentedControl
          aria-labelledby="audience"
          data={choicesOf(kinds, words.campaigns)}
          value={kind}
          onChange={(value) => onChange({ kind: value as To['kind'] })}
        />
      </div>
      {kind === 'chosen' && (
        <CustomersInput value={listed} error={error} onChange={(ids) => onChange({ listed: ids })} />
      )}
    </>
  );
}

function SendDialog({
  recipientCount,
  estimatedSeconds,
  warnings,
  inputs,
  onClose,
}: Counted & { onClose: () => void }) {
  const go = useGo();
  const store = useStore();
  return (
    <ConfirmDialog
      title={words.campaigns.confirmTitle(recipientCount)}
      type={String(recipientCount)}
      submitLabel={words.campaigns.send}
      tone="indigo"
      change="send_campaign"
      input={inputs.map((input) => ({ ...input, confirm: true }))}
      onDone={({ campaignId }) => {
        dropDraft(store.id);
        go(campaignId && inputs.length === 1 ? `campaigns/${campaignId}` : 'campaigns', {
          ignoreBlocker: true,
        });
      }}
      onClose={onClose}
    >
      {words.campaigns.confirmText(estimatedSeconds)}
      {warnings.length > 0 && (
        <Alert color="yellow" mt="sm">
          <Warnings texts={warnings} />
        </Alert>
      )}
    </ConfirmDialog>
  );
}
