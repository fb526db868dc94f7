import { TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { passesFocus } from './pass-focus.ts';

interface NoticeProps {
  readonly children: ReactNode;
  readonly onDismiss?: () => void;
  readonly action?: ReactNode;
}

/** A notice about something unexpected: what happened, what it means, what to do. */
export function Notice({ children, onDismiss, action }: NoticeProps) {
  return (
    <div
      ref={passesFocus}
      role="alert"
      className="flex items-start gap-2 border-b border-line bg-surface-2 px-3 py-1.5"
    >
      <TriangleAlert size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-stale" aria-hidden />
      <div className="flex min-w-0 grow flex-wrap items-start justify-end gap-x-2 gap-y-1">
        <div className="min-w-0 grow basis-64 wrap-anywhere">{children}</div>
        {action}
      </div>
      {onDismiss && <IconButton icon={X} name="Dismiss" onClick={onDismiss} />}
    </div>
  );
}
