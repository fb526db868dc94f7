import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** For what needs columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A sheet over the page: the platform's own dialog, which keeps the focus and closes on Escape. */
export function Dialog({ title, open, onClose, wide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);
  return (
    <dialog
      ref={ref}
      aria-labelledby={heading}
      onClose={onClose}
      className={`max-h-[calc(100dvh-32px)] overflow-y-auto rounded-4 border border-edge bg-surface-1 p-4 ${wide ? 'w-[min(760px,calc(100vw-16px))] max-sm:p-2' : 'w-[min(560px,calc(100vw-32px))]'}`}
    >
      <div className="flex items-center justify-between">
        <h2 id={heading} className="text-15 font-semibold text-strong">
          {title}
        </h2>
        <IconButton icon={X} name="Close" onClick={() => ref.current?.close()} />
      </div>
      {open && children}
    </dialog>
  );
}
