/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Field } from '../api';
import type { Answers, Form } from './form';
import { FormField } from './form-field';

interface Props {
  form: Form;
  answers: Answers;
  answer: (id: string, value: string) => void;
  /** Whether somebody has tried to send it, so that it says what is missing. */
  isTried?: boolean;
  /** Draws a field of bonus, of the promocode or of payment, which is no answer. */
  apart: (field: Field, label: string, problem: string | undefined) => ComponentChildren;
}

/** The fields of the checkout form that are shown now. */
export function FormFields({ form, answers, answer, isTried = false, apart }: Props) {
  return (
    <>
      {form.shown.map((field) => {
        const problem = form.problemFor(field, isTried);
        return (
          <FormField
            key={field.id}
            field={field}
            value={answers[field.id] ?? ''}
            isRequired={form.required.has(field.id)}
            problem={problem}
            onChange={(value) => answer(field.id, value)}
            apart={apart(field, field.label || field.id, problem)}
          />
        );
      })}
    </>
  );
}
