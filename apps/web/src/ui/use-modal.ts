import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import { useBack } from '../hooks/use-back.ts';

interface Modal {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly close: () => void;
  readonly onCancel: (event: SyntheticEvent<HTMLDialogElement>) => void;
  readonly onClose: (event: SyntheticEvent<HTMLDialogElement>) => void;
}

/**
 * The platform's own dialog, which traps the focus and closes on Escape. `onClose` is called as soon as it is closed. The
 * dialog's own `close` event fires in a later task: a key pressed before it could open something that the event would then
 * close.
 */
export function useModal(open: boolean, onClose: () => void): Modal {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect, so that a key pressed between the render and a later effect is not lost.
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
  useBack(open, close);
  return {
    ref,
    close,
    onCancel: ({ target, currentTarget }) => {
      // A file field inside also fires `cancel`, which bubbles.
      if (target === currentTarget) close();
    },
    onClose: ({ currentTarget }) => {
      // The dialog may be open again when the event fires.
      if (!currentTarget.open) onClose();
    },
  };
}
