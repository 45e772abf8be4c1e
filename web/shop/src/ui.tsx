import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { clientAnswers, on, showBackButton, showMainButton } from './client';
import { addressOf, back, go, useCell } from './state';
import { words } from './words';

interface LinkProps {
  to: string;
  class?: string;
  label?: string;
  children: ComponentChildren;
}

/** A link within the shop: a new tab opens it too. */
export function Link({ to, label, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  const href = addressOf(to) + location.search + location.hash;
  return (
    <a href={href} onClick={follow} aria-label={label} {...rest}>
      {children}
    </a>
  );
}

/** @param isFirst whether it is seen without scrolling: it is loaded before others */
export function Picture({ src, isFirst = false }: { src: string | null | undefined; isFirst?: boolean }) {
  const attributes = isFirst ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const };
  return <span class="picture">{src && <img src={src} alt="" decoding="async" {...attributes} />}</span>;
}

interface MainActionProps {
  text: string;
  isBusy?: boolean;
  isActive?: boolean;
  onPress: () => void;
}

/** What the page is for: the client's own main button, or a bar where no client answers. */
export function MainAction({ text, isBusy = false, isActive = true, onPress }: MainActionProps) {
  const isClients = useCell(clientAnswers);
  const press = useRef(onPress);
  press.current = onPress;
  useEffect(() => {
    if (isClients) showMainButton({ text, isBusy, isActive });
  }, [isClients, text, isBusy, isActive]);
  useEffect(() => {
    if (!isClients) return;
    const stop = on('main_button_pressed', () => press.current());
    return () => {
      stop();
      showMainButton(null);
    };
  }, [isClients]);
  if (isClients) return null;
  return (
    <footer class="bar">
      <button
        type="button"
        class="button"
        disabled={isBusy || !isActive}
        aria-busy={isBusy}
        onClick={onPress}
      >
        {text}
      </button>
    </footer>
  );
}

export function BackAction() {
  const isClients = useCell(clientAnswers);
  useEffect(() => {
    if (!isClients) return;
    showBackButton(true);
    const stop = on('back_button_pressed', back);
    return () => {
      stop();
      showBackButton(false);
    };
  }, [isClients]);
  if (isClients) return null;
  return (
    <nav>
      <button type="button" class="back" onClick={back}>
        ‹ {words.back}
      </button>
    </nav>
  );
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
  children,
}: {
  title: string;
  hint?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="placeholder">
      <p class="title">{title}</p>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}
