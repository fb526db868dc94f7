import { Popover as Radix } from 'radix-ui';
import { type ReactNode, type RefObject, useRef } from 'react';
import { useBack } from '../hooks/use-back.ts';
import { POPOVER_CONTENT } from './popover.tsx';

interface AnchoredPopoverProps {
  readonly name: string;
  /** The button that opened it. The button handles its own clicks, and gets the focus back. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** An open popover below a button that is rendered elsewhere. */
export function AnchoredPopover({ name, anchor, onClose, children }: AnchoredPopoverProps) {
  const leftByPointer = useRef(false);
  useBack(true, onClose);
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          aria-label={name}
          align="end"
          {...POPOVER_CONTENT}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
            else leftByPointer.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!leftByPointer.current) anchor.current?.focus();
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
