import { useId } from 'react';

interface SecretFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A field for a key: masked, without autofill or spell checking. */
export function SecretField({ label, hint, value, onChange, error }: SecretFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium text-strong">
        {label}
      </label>
      <input
        id={id}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className="num h-9 w-full rounded-4 border border-edge bg-surface-1 px-3 text-13 aria-invalid:border-stale"
      />
      <p
        id={`${id}-hint`}
        role={error === undefined ? undefined : 'alert'}
        className={error ? 'text-stale' : 'text-dim'}
      >
        {error ?? hint}
      </p>
    </div>
  );
}
