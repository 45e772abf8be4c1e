import { Alert, Button, Input, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSearch } from '../../address';
import { Form } from '../../parts/forms/form';
import { choicesOf, inputsOf, useRow } from '../../parts/inputs/inputs-of';
import { MessageBubble } from '../../parts/values/message-bubble';
import { PictureInput } from '../../parts/inputs/picture-input';
import { isSegment } from '../../parts/lists/segment';
import { later } from '../../parts/lazy-component';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words/all';
import { type Counted, type To, useCount } from './count';
import { type Part, peopleOf, useDraft, useKeptDraft } from './draft';
import { EMPTY, type Message } from './message';
import { TestButton } from './test-button';

/** As fast as the service sends. */
const MESSAGES_PER_SECOND = 25;

const CustomersInput = later(() => import('./customers-input').then((file) => file.CustomersInput));
const SendDialog = later(() => import('./send-dialog').then((file) => file.SendDialog));

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
  const [left, setLeft] = useState<Part[]>(draft?.left ?? []);
  const isEmpty =
    Object.values(message).every((text) => text === '') && to.listed.length === 0 && left.length === 0;
  useKeptDraft({ message, listed: to.listed, left }, isEmpty);
  const [counted, setCounted] = useState<Counted | null>(null);
  // Behind the dialog that sends it, the form stays: the first call may be refused.
  const isBegun = left.length > 0 && (counted === null || counted.isRest);
  const { look, count } = useCount(setCounted);
  return (
    <Stack>
      <PageHead title={words.creates.campaign} hint={words.campaigns.draftHint}>
        {!isEmpty && (
          <Button
            variant="default"
            onClick={() => {
              setMessage(EMPTY);
              setTo({ listed: [] });
              setLeft([]);
            }}
          >
            {words.campaigns.dropDraft}
          </Button>
        )}
      </PageHead>
      <div className="detail">
        <Section title={words.campaigns.message}>
          {isBegun ? (
            <Rest parts={left} onSend={setCounted} />
          ) : (
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
          )}
        </Section>
        <Section title={words.campaigns.preview}>
          <MessageBubble text={message.text} imageUrl={message.imageUrl} buttonText={message.buttonText} />
          <TestButton message={message} />
        </Section>
      </div>
      {counted && <SendDialog {...counted} onLeft={setLeft} onClose={() => setCounted(null)} />}
    </Stack>
  );
}

interface RestProps {
  parts: Part[];
  onSend: (rest: Counted) => void;
}

/**
 * In place of the form while a campaign that has begun is not sent to all: composed again, it would be
 * another one, for the same people.
 */
function Rest({ parts, onSend }: RestProps) {
  const people = peopleOf(parts);
  return (
    <Alert color="yellow" role="status">
      <b>{words.campaigns.left(people)}</b>
      <p>{words.campaigns.leftHint}</p>
      <Button
        onClick={() =>
          onSend({
            parts,
            estimatedSeconds: Math.ceil(people / MESSAGES_PER_SECOND),
            warnings: [],
            isRest: true,
          })
        }
      >
        {words.campaigns.sendRest}
      </Button>
    </Alert>
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
