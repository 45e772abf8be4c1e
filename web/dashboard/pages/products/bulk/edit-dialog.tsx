import { Alert, Select } from '@mantine/core';
import { useRef, useState } from 'react';
import { useBatches } from '../../../api/batches';
import { itemInWords } from '../../../api/telling/in-words';
import { useAll } from '../../../api/queries';
import { Dialog } from '../../../parts/dialog';
import { Form } from '../../../parts/forms/form';
import { choicesOf, useRow } from '../../../parts/inputs/inputs-of';
import { words } from '../../../words/all';

/** What update_products takes at most. */
const MOST = 100;
/** The choice that takes a brand or category away. */
const NO = 'none';
const REFERENCES = { categoryId: 'list_categories', brandId: 'list_brands' } as const;

type Values = Record<'categoryId' | 'brandId' | 'isHidden', string | null>;

/** What is chosen; a field without a choice is left as it is in every product. */
function changesOf({ categoryId, brandId, isHidden }: Values) {
  const reference = (chosen: string) => (chosen === NO ? null : chosen);
  return {
    ...(categoryId && { categoryId: reference(categoryId) }),
    ...(brandId && { brandId: reference(brandId) }),
    ...(isHidden && { isHidden: isHidden === 'hidden' }),
  };
}

interface Props {
  ids: string[];
  onDone: () => void;
  onClose: () => void;
}

/** Changes category, brand and visibility of many products. */
export function EditDialog({ ids: given, onDone, onClose }: Props) {
  const { products } = words;
  // A retry goes on with those that had no answer.
  const [ids, setIds] = useState(given);
  const [failures, setFailures] = useState<string[]>([]);
  const [values, set] = useRow<Values>({ categoryId: null, brandId: null, isHidden: null });
  const changes = changesOf(values);
  const change = useBatches('update_products', MOST, {
    done: ({ updated }) => (updated > 0 ? products.changed(updated) : undefined),
  });
  const isBusy = useRef(false);
  const submit = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    const results = await change.make(ids.map((id) => ({ id, ...changes })));
    isBusy.current = false;
    const refused = results.flatMap(({ error, productId }, i) =>
      error ? [`${productId ?? ids[i]}: ${itemInWords(error)}`] : [],
    );
    setFailures((before) => [...before, ...refused]);
    setIds(ids.slice(results.length));
    if (results.length === ids.length && refused.length === 0 && failures.length === 0) onDone();
  };
  return (
    <Dialog title={products.editSeveral(given.length)} onClose={onClose}>
      <Form
        values={values}
        isDirty={ids.length > 0 && Object.keys(changes).length > 0}
        change={change}
        submit={{
          label: products.changeCount(ids.length),
          disabled: ids.length === 0 || Object.keys(changes).length === 0,
        }}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        {failures.length > 0 && (
          <Alert color="red" role="alert" tabIndex={-1} title={products.notSaved(failures.length)}>
            {failures.join('\n')}
          </Alert>
        )}
        {(['categoryId', 'brandId'] as const).map((name) => (
          <Reference
            key={name}
            name={name}
            label={name === 'brandId' ? products.brand : products.category}
            value={values[name]}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        <Select
          label={products.state}
          placeholder={products.leave}
          clearable
          data={choicesOf(['visible', 'hidden'], products)}
          value={values.isHidden}
          onChange={(value) => set({ isHidden: value })}
        />
      </Form>
    </Dialog>
  );
}

interface ReferenceProps {
  name: keyof typeof REFERENCES;
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

function Reference({ name, ...field }: ReferenceProps) {
  const all = useAll(REFERENCES[name]);
  return (
    <Select
      {...field}
      placeholder={words.products.leave}
      searchable
      clearable
      data={[
        { value: NO, label: words.common.none },
        ...all.map((one) => ({ value: one.id, label: one.name })),
      ]}
    />
  );
}
