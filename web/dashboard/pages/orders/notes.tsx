import { Button, Group, InputBase, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import type { RouteOutput } from '../../api/client';
import { useAccount, useRead } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { Form } from '../../parts/forms/form';
import { Section } from '../../parts/states';
import { When } from '../../parts/values/values';
import { words } from '../../words';

/** The service lets the author delete a note for this long. */
const TAKE_BACK_MS = 5 * 60_000;

/** The shop's notes about the order. The shopper never sees them. */
export function Notes({ orderId }: { orderId: number }) {
  const notes = useRead('GET stores/{storeId}/orders/{orderId}/notes', { orderId: String(orderId) });
  return (
    <Section title={words.orders.notes} hint={words.orders.notesHint}>
      {notes.error && <Failure error={notes.error} retry={() => void notes.refetch()} />}
      {notes.data?.items.map((note) => (
        <NoteText key={note.id} orderId={orderId} note={note} />
      ))}
      <NewNote orderId={orderId} />
    </Section>
  );
}

type Note = RouteOutput<'GET stores/{storeId}/orders/{orderId}/notes'>['items'][number];

function NoteText({ orderId, note: { id, text, author, createdAt } }: { orderId: number; note: Note }) {
  const me = useAccount('GET me');
  const remove = useChange('DELETE stores/{storeId}/orders/{orderId}/notes/{id}');
  const canTakeBack = author === me.data?.email && Date.now() - Date.parse(createdAt) < TAKE_BACK_MS;
  return (
    <div className="note">
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <Group justify="space-between">
        <Text size="xs" c="dimmed" component="div">
          {author} · <When iso={createdAt} short />
        </Text>
        {canTakeBack && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => void remove.make({ orderId: String(orderId), id })}
          >
            {words.orders.takeBack}
          </Button>
        )}
      </Group>
    </div>
  );
}

function NewNote({ orderId }: { orderId: number }) {
  const [note, setNote] = useState('');
  const add = useChange('add_order_note', { refusals: 'form', onDone: () => setNote('') });
  const submit = () => void add.make({ orderId, note: note.trim() });
  return (
    <Form values={{ note }} change={add} gap="xs" onSubmit={submit}>
      {(errorOf) => (
        <>
          <InputBase
            component="textarea"
            multiline
            classNames={{ input: 'new-note' }}
            label={words.orders.note}
            value={note}
            error={errorOf('note')}
            onChange={(event) => setNote(event.currentTarget.value)}
            rows={2}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={add.isPending} disabled={!note.trim()}>
              {words.orders.addNote}
            </Button>
          </Group>
        </>
      )}
    </Form>
  );
}
