import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import { PriceTag } from './price-tag.tsx';

interface Common extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type' | 'children'> {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly submit?: boolean;
  /** Looks pressed, for a button whose name says what it does next; one that keeps its name has `aria-pressed`. */
  readonly 'data-on'?: true | undefined;
}

interface ButtonProps extends Common {
  readonly children: ReactNode;
  readonly icon?: LucideIcon;
  readonly look?: 'quiet' | 'plain' | 'primary';
  /** What a press spends, in credits; undefined if it spends nothing. */
  readonly price?: number | undefined;
}

const LOOKS = {
  quiet:
    'text-text hover:bg-surface-2 aria-expanded:bg-surface-2 aria-pressed:bg-accent-soft data-on:bg-accent-soft aria-pressed:text-strong data-on:text-strong',
  plain:
    'border border-edge text-text hover:bg-surface-2 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-strong',
  primary: 'bg-accent text-on-accent font-medium hover:brightness-110',
} as const;

const SHAPE =
  'inline-flex h-(--control) min-w-(--control) shrink-0 items-center justify-center gap-1.5 rounded-4 whitespace-nowrap disabled:opacity-50 aria-disabled:opacity-50';

export function Button({ children, icon: Icon, look = 'quiet', price, submit = false, ...rest }: ButtonProps) {
  return (
    <button type={submit ? 'submit' : 'button'} className={classNames(SHAPE, 'px-2', LOOKS[look])} {...rest}>
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden />}
      {children}
      {price !== undefined && (
        <>
          {' '}
          <PriceTag credits={price} />
        </>
      )}
    </button>
  );
}

interface IconButtonProps extends Common {
  readonly icon: LucideIcon;
  readonly name: string;
}

export function IconButton({ icon: Icon, name, submit = false, ...rest }: IconButtonProps) {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={classNames(SHAPE, 'w-(--control)', LOOKS.quiet)}
      aria-label={name}
      title={name}
      {...rest}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
