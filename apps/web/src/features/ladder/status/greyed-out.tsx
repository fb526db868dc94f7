import type { ReactNode } from 'react';
import { isUnproven, useBook } from '../../../book-worker/use-book.ts';
import { classNames } from '../../../ui/class-names.ts';

interface GreyedOutProps {
  readonly className: string;
  readonly children: ReactNode;
}

/** Greys out its content together with the ladder, while the book is not known to be current. */
export function GreyedOut({ className, children }: GreyedOutProps) {
  const isGreyedOut = useBook(isUnproven);
  return (
    <div data-greyed-out={isGreyedOut} className={classNames(className, isGreyedOut && 'grayscale')}>
      {children}
    </div>
  );
}
