import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Popover } from './popover.tsx';

interface MenuButtonProps {
  readonly icon: LucideIcon;
  /** Its accessible name, and that of the panel. */
  readonly name: string;
  /** The word on it where that is shorter; where there is no room for it the icon is shown alone. */
  readonly text?: string;
  /** The panel. */
  readonly children: ReactNode;
}

/** A button of the title line with a panel below it. Escape closes the panel and gives the focus back to the button. */
export function MenuButton({ icon, name, text = name, children }: MenuButtonProps) {
  return (
    <Popover
      name={name}
      trigger={
        <Button icon={icon} aria-label={name}>
          <span className="max-[1399px]:sr-only">{text}</span>
        </Button>
      }
    >
      {children}
    </Popover>
  );
}
