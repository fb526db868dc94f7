import { TARIFF } from '@l4desk/protocol';
import { AppWindow } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { PopoverClose } from '../../../ui/popover.tsx';
import { BOOK_CREDITS } from '../books/books.ts';
import { PANES } from '../panes.tsx';
import type { LadderChoices } from '../search.ts';
import { openWindow, POP_LADDER, popHref } from './windows.ts';

interface WindowsMenuProps {
  readonly coin: string;
  /** Choices of the active ladder where they differ from the first one's. */
  readonly choices: LadderChoices;
}

const CHOICES = [{ key: POP_LADDER, name: 'Ladder' }, ...PANES];

/** Opens the ladder or a pane in a separate window, which follows the book itself at its own cost. */
export function WindowsMenu({ coin, choices }: WindowsMenuProps) {
  return (
    <MenuButton icon={AppWindow} name="Open in a window" text="">
      <div className="flex w-64 max-w-full flex-col gap-2">
        <ul className="grid grid-cols-2 gap-x-2">
          {CHOICES.map(({ key, name }) => (
            <li key={key}>
              <PopoverClose asChild>
                <Button onClick={() => openWindow(popHref(coin, key, choices))}>{name}</Button>
              </PopoverClose>
            </li>
          ))}
        </ul>
        <p className="text-12 text-dim">
          A window follows the {coin} book by itself: {BOOK_CREDITS} credits at once, then{' '}
          {TARIFF.l4BookUpdatesPerCoinMinute} a minute until it is closed.
        </p>
      </div>
    </MenuButton>
  );
}
