import { Button, Group, type MantineSpacing, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Sentence } from '../../../../src/platform/problems';
import { words } from '../../words';
import { FormFailure, FormWarning } from '../failure';
import { refused } from './refused';
import { useUnsaved } from './unsaved';

interface Props {
  /**
   * The typed values, under the field names that the service uses in refusals. Leaving the form asks first if
   * they differ from those at its beginning; with no values there is no work to lose, only a password, say.
   */
  values: object;
  /** Whether there is something to save, if that is not a comparison with the first values. */
  isDirty?: boolean;
  /** The change that the form makes. With `warned` it waits for being sent once more. */
  change: { isPending: boolean; error: Error | null; warned?: Sentence[] | null };
  /** The button that sends the form. Without it the form draws its own. */
  submit?: { label: string; color?: string; disabled?: boolean };
  /** Gets what the browser has in the form's fields, for fields whose values are not kept anywhere else. */
  onSubmit: (typed: FormData) => void;
  onCancel?: () => void;
  /** The field that shows a refusal which names no field. Default: it is shown above the fields. */
  restAt?: string;
  /** Whether the browser checks required fields. Default: only the service does, which says more. */
  isCheckedByBrowser?: boolean;
  gap?: MantineSpacing;
  /** As a function it also gets whether these values wait for being sent once more. */
  children: ReactNode | ((errorOf: (field: string) => string | undefined, isWarned: boolean) => ReactNode);
}

/** For comparing: a field that was emptied is like one that was never filled in. */
const textOf = (values: object) =>
  JSON.stringify(values, (_, value: unknown) => (value === '' || value === null ? undefined : value));

/** What is wrong; the library's inputs for passwords have the second mark only. */
const BAD = '[aria-invalid=true], input[data-invalid=true], [role=alert]';

/**
 * Focuses the first field that is wrong, or else what is said of the whole form.
 * @returns whether there is one
 */
function showBad(form: HTMLElement, which = BAD): boolean {
  const bad = form.querySelector<HTMLElement>(which);
  bad?.scrollIntoView({ block: 'center' });
  bad?.focus({ preventScroll: true });
  return bad !== null;
}

/** What the service warns of, as long as the values are those of which it does. */
function useWarned(warnings: Sentence[] | null, values: string): Sentence[] | null {
  const [last, setLast] = useState({ warnings, values });
  if (last.warnings !== warnings) setLast({ warnings, values });
  return last.values === values ? warnings : null;
}

/** Every form of the dashboard: shows refusals, and asks before typed work is lost. */
export function Form({ values, isDirty, change, submit, restAt, gap = 'sm', children, ...props }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const [first] = useState(() => textOf(values));
  // While the change is made, what follows it may close the form or leave the page.
  useUnsaved(element, !change.isPending && (isDirty ?? textOf(values) !== first));
  useEffect(() => {
    // A form whose code came after its dialog: the focus goes on from the button that closes the dialog.
    const focused = element.current!.closest('[role=dialog]')?.querySelector(':focus');
    if (focused) element.current!.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  useEffect(() => {
    if (change.error || change.warned) showBad(element.current!);
  }, [change.error, change.warned]);
  const warned = useWarned(change.warned ?? null, textOf(values));
  const { of, rest } = refused(change.error, values as Record<string, unknown>);
  const errorOf = (field: string) => of(field) ?? (field === restAt ? (rest ?? undefined) : undefined);
  return (
    <form
      ref={element}
      noValidate={!props.isCheckedByBrowser}
      onSubmit={(event) => {
        event.preventDefault();
        if (showBad(event.currentTarget, '[data-unreadable]')) return;
        props.onSubmit(new FormData(event.currentTarget));
      }}
    >
      <Stack gap={gap}>
        {rest !== null && !restAt && <FormFailure text={rest} error={change.error} />}
        {warned && <FormWarning warnings={warned} />}
        {typeof children === 'function' ? children(errorOf, warned !== null) : children}
        {submit && (
          <Group justify="flex-end" className="form-foot">
            {props.onCancel && (
              <Button variant="default" onClick={props.onCancel}>
                {words.common.cancel}
              </Button>
            )}
            <Button type="submit" color={submit.color} disabled={submit.disabled} loading={change.isPending}>
              {warned ? words.common.allTheSame : submit.label}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
