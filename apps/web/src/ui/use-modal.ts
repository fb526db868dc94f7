import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

interface Modal {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly close: () => void;
  readonly onCancel: (event: SyntheticEvent<HTMLDialogElement>) => void;
  readonly onClose: (event: SyntheticEvent<HTMLDialogElement>) => void;
}

/**
 * The platform's own dialog, which keeps the focus and closes on Escape; `onClose` is called as soon as it is closed. Its
 * own `close` event is a later task: a key pressed before it would open something that the event then closes.
 */
export function useModal(open: boolean, onClose: () => void): Modal {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the browser has a turn: a key pressed between the drawing and an effect behind it would be lost.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);
  const close = () => {
    ref.current?.close();
    onClose();
  };
  return {
    ref,
    close,
    onCancel: ({ target, currentTarget }) => {
      // A file field inside has a `cancel` event too, which bubbles.
      if (target === currentTarget) close();
    },
    onClose: ({ currentTarget }) => {
      // It may be open again when the event comes.
      if (!currentTarget.open) onClose();
    },
  };
}
