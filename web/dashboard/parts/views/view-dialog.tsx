import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change';
import { words } from '../../words/all';
import { Dialog } from '../dialog';
import { Form } from '../forms/form';
import type { View, Viewed } from './query';

interface Props {
  page: Viewed;
  query: string;
  /** The view to be renamed; without it a new one is saved. */
  view?: View;
  onSaved: (view: View) => void;
  onClose: () => void;
}

/** Asks for the name of a view. */
export function ViewDialog({ page, query, view, onSaved, onClose }: Props) {
  const [name, setName] = useState(view?.name ?? '');
  const options = {
    done: words.common.saved,
    refusals: 'form' as const,
    onDone: (saved: View) => {
      onClose();
      onSaved(saved);
    },
  };
  const save = useChange('POST stores/{storeId}/views', options);
  const rename = useChange('PUT stores/{storeId}/views/{id}', options);
  const typed = name.trim();
  const submit = () =>
    void (view
      ? rename.make({ id: view.id, name: typed }, { ifMatch: view.updatedAt })
      : save.make({ page, name: typed, query }));
  return (
    <Dialog onClose={onClose} title={view ? words.viewForms.renameOf(view.name) : words.views.save}>
      <Form
        values={{ name }}
        change={view ? rename : save}
        submit={{ label: words.common.save }}
        onSubmit={submit}
        onCancel={onClose}
      >
        {(errorOf) => (
          <Stack gap="sm">
            {!view && <Text size="sm">{words.viewForms.hint}</Text>}
            <TextInput
              label={words.viewForms.name}
              required
              maxLength={60}
              value={name}
              error={errorOf('name')}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              data-autofocus
            />
          </Stack>
        )}
      </Form>
    </Dialog>
  );
}
