import { type ReactElement, type ReactNode, type RefObject, useRef, useState } from 'react';
import { type Later, later } from '../ui/later.tsx';

const Plain = later(async () => (await import('../ui/anchored-popover.tsx')).AnchoredPopover);

/** Preloads what menus need to open. */
export const loadMenus = Plain.ahead;

export interface MenuPanel {
  readonly name: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

interface MenuButton {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly onClick: () => void;
  readonly 'aria-haspopup': 'dialog';
  readonly 'aria-expanded': boolean;
}

interface MenuProps {
  readonly name: string;
  readonly renderButton: (props: MenuButton) => ReactElement;
  /** The panel's content; a function receives the callback that closes it. */
  readonly children?: ReactNode | ((close: () => void) => ReactNode);
  /** Instead of `children`: a panel loaded together with its content, because the focus moves into it once, when it opens. */
  readonly panel?: Later<MenuPanel>;
}

/** A button of the header with its panel, which is loaded separately from the shell. */
export function Menu({ name, renderButton, children, panel }: MenuProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const shown: MenuPanel = { name, anchor, onClose: close };
  return (
    <>
      {renderButton({
        ref: anchor,
        onClick: () => setOpen((now) => !now),
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
      })}
      {open &&
        (panel === undefined ? (
          <Plain.Part {...shown}>{typeof children === 'function' ? children(close) : children}</Plain.Part>
        ) : (
          <panel.Part {...shown} />
        ))}
    </>
  );
}
