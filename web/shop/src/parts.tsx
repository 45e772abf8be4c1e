/** @jsxImportSource preact */
/** Parts that need neither the client nor the shop's address: the dashboard's preview has them too. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { words } from './words';

/** @param isFirst whether it is seen without scrolling: it is loaded before others */
export function Picture({ src, isFirst = false }: { src: string | null | undefined; isFirst?: boolean }) {
  const attributes = isFirst ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const };
  return <span class="picture">{src && <img src={src} alt="" decoding="async" {...attributes} />}</span>;
}

export function Stepper({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <span class="stepper">
      <button
        type="button"
        aria-label={words.fewer}
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      >
        −
      </button>
      <output aria-label={words.quantity}>{value}</output>
      <button type="button" aria-label={words.more} onClick={() => onChange(value + 1)}>
        +
      </button>
    </span>
  );
}

export function Chip({
  isChosen,
  onPress,
  children,
}: {
  isChosen: boolean;
  onPress: () => void;
  children: ComponentChildren;
}) {
  return (
    <button type="button" class="chip" aria-pressed={isChosen} onClick={onPress}>
      {children}
    </button>
  );
}

export interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isRequired?: boolean;
  problem?: string;
  hint?: string;
}

/** A label, what it is for, and what is wrong with it. The control gets what ties them together. */
export function Labelled({
  label,
  isRequired,
  problem,
  hint,
  control,
}: Omit<FieldProps, 'value' | 'onChange'> & {
  control: (tied: object) => ComponentChildren;
}) {
  const id = useId();
  const described = problem || hint ? `${id}-said` : undefined;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isRequired === false && <small aria-hidden="true"> ({words.optional})</small>}
      </label>
      {control({
        id,
        'aria-describedby': described,
        'aria-invalid': problem ? true : undefined,
        'aria-required': isRequired ? true : undefined,
      })}
      {described && (
        <small id={described} class={problem ? 'wrong' : undefined}>
          {problem || hint}
        </small>
      )}
    </div>
  );
}

type InputKind = {
  type?: string;
  inputMode?: 'email' | 'tel' | 'decimal';
  autoComplete?: string;
  placeholder?: string;
};

export function TextField({ value, onChange, kind = {}, ...rest }: FieldProps & { kind?: InputKind }) {
  const change = (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value);
  return (
    <Labelled
      {...rest}
      control={(tied) => <input {...(tied as object)} {...(kind as object)} value={value} onInput={change} />}
    />
  );
}

export function Tick({
  label,
  hint,
  isTicked,
  problem,
  onChange,
}: {
  label: string;
  hint?: string;
  isTicked: boolean;
  problem?: string;
  onChange: (isTicked: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="tick">
      <input
        id={id}
        type="checkbox"
        checked={isTicked}
        aria-describedby={problem || hint ? `${id}-said` : undefined}
        aria-invalid={problem ? true : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        <label for={id}>{label}</label>
        {(problem || hint) && (
          <small id={`${id}-said`} class={problem ? 'wrong' : undefined}>
            {problem || hint}
          </small>
        )}
      </span>
    </div>
  );
}

/** A row of a sum: what, and how much. */
export function Row({
  title,
  after,
  isStrong = false,
}: {
  title: ComponentChildren;
  after: ComponentChildren;
  isStrong?: boolean;
}) {
  return (
    <div class={isStrong ? 'row strong' : 'row'}>
      <span dir="auto">{title}</span>
      <span>{after}</span>
    </div>
  );
}

export function Placeholder({
  title,
  hint,
  isPage = false,
  children,
}: {
  title: string;
  /** Whether it stands for the page, whose heading it is then. */
  isPage?: boolean;
  hint?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="placeholder">
      {isPage ? <h1 class="title">{title}</h1> : <p class="title">{title}</p>}
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}
