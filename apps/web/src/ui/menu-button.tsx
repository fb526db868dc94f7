import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Popover } from './popover.tsx';

interface MenuButtonProps {
  readonly icon: LucideIcon;
  readonly name: string;
  /** A shorter label for the button, if there is one. Where it does not fit, only the icon is shown. */
  readonly text?: string;
  readonly children: ReactNode;
}

/**
 * A button with a panel below it. Escape closes the panel and returns the focus to the button. In a title line, which has more to
 * say, its text needs more room than elsewhere.
 */
export function MenuButton({ icon, name, text = name, children }: MenuButtonProps) {
  return (
    <Popover
      name={name}
      trigger={
        <Button icon={icon} aria-label={name} title={name}>
          <span className="max-[1499px]:sr-only @max-[1679px]/title:sr-only">{text}</span>
        </Button>
      }
    >
      {children}
    </Popover>
  );
}
