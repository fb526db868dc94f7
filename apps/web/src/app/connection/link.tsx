import { classNames } from '../../ui/class-names.ts';

/** The state of one link between the exchange and this page; `well` is undefined while nothing is known. */
export interface Link {
  readonly well: boolean | undefined;
  readonly text: string;
  readonly reason: string;
}

/** Filled while the link is well, an outline while it is not, fainter while nothing is known. */
export function Dot({ well }: Pick<Link, 'well'>) {
  return (
    <span
      aria-hidden
      className={classNames(
        'size-2 shrink-0 rounded-full',
        well === true ? 'bg-exact' : well === false ? 'border border-stale bg-transparent' : 'border border-edge',
      )}
    />
  );
}
