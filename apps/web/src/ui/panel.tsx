import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { PaneBoundary } from './page/pane-boundary.tsx';

interface PanelProps {
  readonly title: string;
  /** At the right end of its heading: controls of this panel only. */
  readonly controls?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** One of several panels of a page, under its own heading. An error in it does not affect the others. */
export function Panel({ title, controls, className, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames('flex min-w-0 flex-col gap-2 p-3', className)}>
      <header className="flex min-h-(--control) flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 id={id} className="font-semibold text-strong">
          {title}
        </h2>
        {controls}
      </header>
      <PaneBoundary name={title}>{children}</PaneBoundary>
    </section>
  );
}
