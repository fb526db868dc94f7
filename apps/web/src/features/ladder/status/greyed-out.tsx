import type { ReactNode } from 'react';
import { useBookView } from '../../../book-worker/use-integrity.ts';
import { classNames } from '../../../ui/class-names.ts';

interface GreyedOutProps {
  readonly className: string;
  readonly children: ReactNode;
}

/** Greys out its content together with the ladder: while the book is neither known to be current nor held on purpose. */
export function GreyedOut({ className, children }: GreyedOutProps) {
  const isGreyedOut = useBookView(
    ({ integrity, status }) => integrity.state !== 'live' && status?.frozen === undefined,
  );
  return (
    <div data-greyed-out={isGreyedOut} className={classNames(className, isGreyedOut && 'grayscale')}>
      {children}
    </div>
  );
}
