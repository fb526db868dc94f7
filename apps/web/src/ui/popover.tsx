import { Popover as Radix } from 'radix-ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useBack } from '../hooks/use-back.ts';

interface PopoverProps {
  readonly trigger: ReactElement;
  readonly name: string;
  readonly align?: 'start' | 'center' | 'end';
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly children: ReactNode;
}

/**
 * An opened popover has the focus on its search field, otherwise on its first control. If that is one of a group of radio buttons,
 * on the one that is checked: a key that moves the focus within the group also chooses.
 */
function focusFirst(event: Event): void {
  const { currentTarget } = event;
  if (!(currentTarget instanceof HTMLElement)) return;
  const search = currentTarget.querySelector('[role=combobox]');
  const first = search ?? currentTarget.querySelector('button, input, select, a[href], [tabindex]');
  if (!(first instanceof HTMLInputElement) || (search === null && first.type !== 'radio')) return;
  event.preventDefault();
  const group = currentTarget.querySelectorAll<HTMLInputElement>('input[type=radio]');
  const checked = [...group].find((radio) => radio.name === first.name && radio.checked);
  (checked ?? first).focus({ preventScroll: true });
}

/** The position, look and initial focus of every popover. */
export const POPOVER_CONTENT = {
  onOpenAutoFocus: focusFirst,
  sideOffset: 4,
  collisionPadding: 8,
  className:
    'z-30 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-16px)] overflow-y-auto rounded-4 border border-edge bg-surface-1 p-3 outline-none',
} as const;

/**
 * A small panel beside the control that opened it. Not modal: a modal one would inject a style element, which our policy
 * forbids.
 */
export function Popover({ trigger, name, align = 'start', open: controlled, onOpenChange, children }: PopoverProps) {
  const [own, setOwn] = useState(false);
  const open = controlled ?? own;
  const change = onOpenChange ?? setOwn;
  useBack(open, () => change(false));
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content aria-label={name} align={align} {...POPOVER_CONTENT}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the surrounding popover when its child is clicked. */
export const PopoverClose = Radix.Close;
