import { useState } from 'react';

type Of<Element> = { currentTarget: Element };

/**
 * The inputs for the fields of a record, each with its value, its error and how to change it:
 * `<TextInput {...inputs.text('name')} label={…} />`.
 */
export function inputsOf<Row extends object>(
  row: Row,
  change: (part: Partial<Row>) => void,
  errorOf: (name: string) => string | undefined,
) {
  type Name = keyof Row & string;
  const set = (name: Name, value: unknown) => change({ [name]: value } as Partial<Row>);
  return {
    /** @param empty what an emptied field has in place of an empty text */
    text: (name: Name, empty: '' | null | undefined = '') => ({
      value: (row[name] ?? '') as string,
      error: errorOf(name),
      onChange: ({ currentTarget }: Of<{ value: string }>) => set(name, currentTarget.value || empty),
    }),
    number: (name: Name, empty: 0 | null = 0) => ({
      value: row[name] as number | null,
      error: errorOf(name),
      onChange: (value: number | null) => set(name, value ?? empty),
    }),
    switch: (name: Name) => ({
      checked: row[name] as boolean,
      onChange: ({ currentTarget }: Of<{ checked: boolean }>) => set(name, currentTarget.checked),
    }),
    /** For inputs that give their value and not an event. */
    value: <One extends Name>(name: One) => ({
      value: row[name],
      error: errorOf(name),
      onChange: (value: unknown) => set(name, value),
    }),
  };
}

export type Inputs<Row extends object> = ReturnType<typeof inputsOf<Row>>;

/** The entries of a selection, each with its text. */
export const choicesOf = <const Value extends string>(
  values: readonly Value[],
  texts: Record<NoInfer<Value>, string>,
): { value: Value; label: string }[] => values.map((value) => ({ value, label: texts[value] }));

/** The values of a small form, and how to change some of them. */
export function useRow<Row extends object>(first: Row): [Row, (part: Partial<Row>) => void] {
  const [row, setRow] = useState(first);
  return [row, (part) => setRow((all) => ({ ...all, ...part }))];
}
