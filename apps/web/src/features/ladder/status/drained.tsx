import type { ReactNode } from 'react';
import { useBookView } from '../../../book-worker/use-integrity.ts';
import { classNames } from '../../../ui/class-names.ts';

interface DrainedProps {
  readonly className: string;
  readonly children: ReactNode;
}

/** Greys out its content together with the ladder: while the book is neither known to be current nor held on purpose. */
export function Drained({ className, children }: DrainedProps) {
  const isDrained = useBookView(({ integrity, status }) => integrity.state !== 'live' && status?.frozen === undefined);
  return (
    <div data-drained={isDrained} className={classNames(className, isDrained && 'grayscale')}>
      {children}
    </div>
  );
}
