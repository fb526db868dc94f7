import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface TabsProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly onChange: (value: T) => void;
  /** Shown at the end of the row of tabs. */
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
}

/** Several panels in one place, one of them open. Tabs that do not fit wrap. For variants of one view use `Segmented`. */
export function Tabs<T extends string>({ name, value, options, onChange, trailing, children }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    // The focused tab may be ahead of `value`, which follows after a render: keys can come faster than that.
    const focused = event.target instanceof HTMLElement ? event.target.dataset.tab : undefined;
    const at = options.findIndex((option) => option.value === (focused ?? value));
    const next = options[(at + step + options.length) % options.length];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.value}"]`)?.focus();
  };
  return (
    <>
      <div className="flex shrink-0 items-start border-b border-line">
        <div
          ref={list}
          role="tablist"
          aria-label={name}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          data-arrows
          className="flex min-w-0 grow flex-wrap px-2"
        >
          {options.map((option) => (
            <button
              key={option.value}
              type="button"
              role="tab"
              id={`${id}-${option.value}`}
              data-tab={option.value}
              aria-selected={option.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={option.value === value ? 0 : -1}
              onClick={() => onChange(option.value)}
              className="h-(--control) border-b-2 border-transparent px-1 text-dim -outline-offset-2 hover:text-text aria-selected:border-accent aria-selected:text-strong"
            >
              {option.text}
            </button>
          ))}
        </div>
        {trailing}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        className="flex min-h-0 min-w-0 grow flex-col"
      >
        {children}
      </div>
    </>
  );
}
