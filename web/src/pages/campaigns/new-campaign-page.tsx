import { Button, Group, SegmentedControl, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useGo } from '../../address';
import type { Input } from '../../api/client';
import { useChange } from '../../api/change';
import { ConfirmDialog } from '../../parts/dialogs';
import { FormFailure } from '../../parts/failure';
import { MessageBubble } from '../../parts/values/message-bubble';
import { PictureInput } from '../../parts/forms/picture-input';
import { refused } from '../../parts/forms/refused';
import { PageHead, Section } from '../../parts/states';
import { words } from '../../words';

interface Message {
  name: string;
  text: string;
  imageUrl: string;
  buttonText: string;
  buttonUrl: string;
}

const EMPTY: Message = { name: '', text: '', imageUrl: '', buttonText: '', buttonUrl: '' };

/** Compose the message, see the number of recipients, type that number, send. */
export default function NewCampaignPage() {
  const go = useGo();
  const [message, setMessage] = useState(EMPTY);
  const [toAll, setToAll] = useState(true);
  const [customerIds, setCustomerIds] = useState<string[]>([]);
  const [preview, setPreview] = useState<{
    recipientCount: number;
    estimatedSeconds?: number;
    key: string;
  } | null>(null);
  const look = useChange('send_campaign', {
    refusals: 'form',
    // The key is created here, so that after a double click or a lost connection the campaign is sent only
    // once.
    onDone: (counted) => setPreview({ ...counted, key: crypto.randomUUID() }),
  });
  const errors = refused(look.error, { ...message, audience: customerIds });
  const given = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== ''));
  const input = { ...given, audience: toAll ? { all: true } : { customerIds } } as Input<'send_campaign'>;
  const text = (name: keyof Message) => ({
    label: words.campaigns.fields[name],
    value: message[name],
    error: errors.of(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setMessage((all) => ({ ...all, [name]: currentTarget.value })),
  });
  return (
    <Stack>
      <PageHead title={words.campaigns.create} />
      <div className="detail">
        <Section title={words.campaigns.message}>
          <FormFailure text={errors.rest} />
          <TextInput {...text('name')} description={words.campaigns.nameHint} required />
          <Textarea {...text('text')} autosize minRows={4} required />
          <PictureInput
            {...text('imageUrl')}
            onChange={(imageUrl) => setMessage((all) => ({ ...all, imageUrl }))}
          />
          <TextInput {...text('buttonText')} />
          <TextInput {...text('buttonUrl')} type="url" placeholder="https://" />
          <div>
            <Text size="sm" fw={500} id="audience">
              {words.campaigns.audience}
            </Text>
            <SegmentedControl
              aria-labelledby="audience"
              data={[
                { value: 'all', label: words.campaigns.all },
                { value: 'chosen', label: words.campaigns.chosen },
              ]}
              value={toAll ? 'all' : 'chosen'}
              onChange={(value) => setToAll(value === 'all')}
            />
          </div>
          {!toAll && (
            <TagsInput
              label={words.campaigns.customerIds}
              value={customerIds}
              onChange={setCustomerIds}
              error={errors.of('audience')}
            />
          )}
          <Group justify="flex-end">
            <Button onClick={() => void look.make(input)}>{words.campaigns.look}</Button>
          </Group>
        </Section>
        <Section title={words.campaigns.preview}>
          <MessageBubble text={message.text} imageUrl={message.imageUrl} buttonText={message.buttonText} />
        </Section>
      </div>
      {preview && (
        <ConfirmDialog
          title={words.campaigns.confirmTitle(preview.recipientCount)}
          type={String(preview.recipientCount)}
          submitLabel={words.campaigns.send}
          tone="indigo"
          change="send_campaign"
          input={{ ...input, confirm: true }}
          conditions={{ idempotencyKey: preview.key }}
          onDone={({ campaignId }) => go(campaignId ? `campaigns/${campaignId}` : 'campaigns')}
          onClose={() => setPreview(null)}
        >
          {words.campaigns.confirmText(preview.estimatedSeconds ?? 0)}
        </ConfirmDialog>
      )}
    </Stack>
  );
}
