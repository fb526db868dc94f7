import { type DecimalString, isDecimalString } from '@l4desk/protocol';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';

interface SearchFieldProps {
  /** Its accessible name: “Search by oid or cloid”. */
  readonly name: string;
  readonly placeholder?: string;
  readonly value: string;
  /** Called when typing pauses, on Enter, and on blur. */
  readonly onChange: (value: string) => void;
}

const PAUSE_MS = 150;

export function SearchField({ name, placeholder, value, onChange }: SearchFieldProps) {
  const [draft, setDraft] = useState(value);
  const given = useRef(value);
  // If the address changed by itself (a link, the back button), the field shows the new value.
  useEffect(() => {
    if (given.current !== value) setDraft(value);
    given.current = value;
  }, [value]);
  const keep = (text: string) => {
    if (text === given.current) return;
    given.current = text;
    onChange(text);
  };
  const onPause = useEffectEvent(keep);
  useEffect(() => {
    const timer = setTimeout(() => onPause(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <span className="relative inline-flex min-w-0">
      <Search
        size={14}
        strokeWidth={1.75}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-dim"
      />
      <input
        type="search"
        aria-label={name}
        placeholder={placeholder ?? 'Search'}
        autoComplete="off"
        spellCheck={false}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => keep(draft)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep(draft);
        }}
        className="h-(--control) w-36 min-w-0 rounded-4 border border-edge bg-surface-0 pr-2 pl-7 text-text placeholder:text-dim"
      />
    </span>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly error?: string | undefined;
  readonly numeric?: boolean;
  /** Shown after the field: a unit. */
  readonly unit?: ReactNode;
  /** Puts the label before the field, in one line with the controls beside it. */
  readonly inline?: boolean;
}

/** A field with its label above or before it. */
export function TextField(props: FieldProps) {
  const { label, value, onChange, placeholder, error, numeric = false, unit, inline = false } = props;
  const id = useId();
  const labelled = (
    <label htmlFor={id} className="shrink-0 text-12 text-dim">
      {label}
    </label>
  );
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      {!inline && labelled}
      <span className="flex items-center gap-2">
        {inline && labelled}
        <input
          id={id}
          type="text"
          inputMode={numeric ? 'decimal' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={value}
          placeholder={placeholder}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={(event) => onChange(event.target.value)}
          className={`h-(--control) w-full min-w-0 rounded-4 border border-edge bg-surface-0 px-2 text-text placeholder:text-dim aria-invalid:border-stale ${numeric ? 'num text-right text-12' : ''}`}
        />
        {unit !== undefined && <span className="shrink-0 text-dim">{unit}</span>}
      </span>
      {error !== undefined && (
        <span id={`${id}-error`} className="text-12 text-stale">
          {error}
        </span>
      )}
    </div>
  );
}

interface Typed<T> {
  readonly value: string;
  /** Parses a text, trimmed; undefined if it is not valid. */
  readonly read: (text: string) => T | undefined;
  /** Called with every valid value; an invalid text stays in the field. */
  readonly onChange: (value: T) => void;
}

/** The draft of a field: the typed text while it is invalid or parses to `value`; a value set from elsewhere replaces it. */
export function useTyped<T>({ value, read, onChange }: Typed<T>) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly before: string }>();
  const meaning = typed && read(typed.text.trim());
  const stands = typed !== undefined && (String(meaning ?? '') === value || typed.before === value);
  const draft = stands ? typed.text : value;
  const change = (text: string) => {
    setTyped({ text, before: value });
    const next = read(text.trim());
    if (next !== undefined) onChange(next);
  };
  return { draft, isWell: read(draft.trim()) !== undefined, change };
}

interface TypedFieldProps<T> extends Typed<T>, Pick<FieldProps, 'label' | 'unit' | 'inline' | 'placeholder'> {
  readonly error: string;
  /** Shown for a valid text: what is wrong with its value. */
  readonly problem?: string | undefined;
}

/** A field for a value that must be parsed from text. */
export function TypedField<T>({ value, read, onChange, error, problem, ...rest }: TypedFieldProps<T>) {
  const { draft, isWell, change } = useTyped({ value, read, onChange });
  return <TextField {...rest} numeric value={draft} onChange={change} error={isWell ? problem : error} />;
}

interface DecimalFieldProps extends Pick<FieldProps, 'label' | 'unit'> {
  readonly value: DecimalString;
  readonly onChange: (value: DecimalString) => void;
}

/** A field for an exact decimal, zero or more; keeps the digits as typed. */
export function DecimalField(props: DecimalFieldProps) {
  return <TypedField {...props} read={readAmount} error="Enter a number, such as 1250.50." />;
}

/** Digits in one piece or with a comma, a space or an apostrophe before every three, a fraction, or both. */
const AMOUNT = /^(?=.*\d)(?:\d*|[1-9]\d{0,2}(?:([,\s'’])\d{3})(?:\1\d{3})*)(?:\.\d*)?$/;

/**
 * Parses an exact decimal, zero or more, as people type it: also `1,000`, `1 000`, `.5` and `5.`, and the wide digits of East Asian
 * keyboards; any other comma is an error.
 */
export function readAmount(typed: string): DecimalString | undefined {
  const text = typed.replaceAll(/[０-９．，]/g, (wide) => wide.normalize('NFKC'));
  if (!AMOUNT.test(text)) return undefined;
  const plain = text
    .replaceAll(/[,\s'’]/g, '')
    .replace(/^\./, '0.')
    .replace(/\.$/, '');
  return isDecimalString(plain) && !plain.startsWith('-') ? plain : undefined;
}

/** Parses an empty field as null. */
export const orNothing =
  <T,>(read: (text: string) => T | undefined) =>
  (text: string) =>
    text === '' ? null : read(text);
