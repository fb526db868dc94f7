import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from './button.tsx';
import { useModal } from './use-modal.ts';

const WIDTHS = {
  text: 'w-[min(560px,calc(100vw-32px))]',
  table: 'w-[min(760px,calc(100vw-16px))] max-sm:p-2',
  columns: 'w-[min(1000px,calc(100vw-32px))]',
} as const;

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** The maximum width: enough for text, a table, or several columns of text. */
  readonly width?: keyof typeof WIDTHS;
  readonly children: ReactNode;
}

export function Dialog({ title, open, onClose, width = 'text', children }: DialogProps) {
  const heading = useId();
  const { close, ...modal } = useModal(open, onClose);
  return (
    <dialog
      {...modal}
      aria-labelledby={heading}
      className={`max-h-[calc(100dvh-32px)] overflow-y-auto rounded-4 border border-edge bg-surface-1 p-4 ${WIDTHS[width]}`}
    >
      <div className="flex items-center justify-between">
        <h2 id={heading} className="text-15 font-semibold text-strong">
          {title}
        </h2>
        <IconButton icon={X} name="Close" onClick={close} />
      </div>
      {open && children}
    </dialog>
  );
}
