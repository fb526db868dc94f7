import { TARIFF } from '@l4desk/protocol';
import { AppWindow, Columns2 } from 'lucide-react';
import { useState } from 'react';
import { useLiveTicks } from '../../book-worker/use-book.ts';
import { useWithKey } from '../../hooks/actions.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { grouped } from '../../ui/format.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Popover, PopoverClose } from '../../ui/popover.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { useBookPage } from './book-page.ts';
import { BOOK_CREDITS, type BookChoice, tickBeside } from './books/books.ts';
import { CoinList } from './coin-picker.tsx';
import { usePageMenu } from './page-menu.ts';
import { PANES } from './panes.tsx';
import { openWindow, POP_LADDER, popHref } from './pop/windows.ts';
import type { LadderChoices } from './search.ts';
import type { currentWorkspace } from './workspaces/current-workspace.ts';
import { WorkspacesMenu } from './workspaces/workspaces-menu.tsx';

interface PageMenusProps {
  readonly workspace: () => ReturnType<typeof currentWorkspace>;
  /** Choices of the active ladder where they differ from the first one's. */
  readonly choices: LadderChoices;
  readonly isFull: boolean;
  readonly onAdd: (book: BookChoice) => void;
}

/** With more characters of coin and grouping, a phone's title line has no room to add a ladder: the palette does. */
const SHORT_MAX = 9;

export function PageMenus({ choices, workspace, isFull, onAdd }: PageMenusProps) {
  const { coin, tick } = useBookPage();
  const isLong = coin.length + (tick?.length ?? 0) > SHORT_MAX;
  return (
    <>
      <span className={classNames('contents', isLong && 'max-sm:hidden')}>
        <AddLadder isFull={isFull} onAdd={onAdd} />
      </span>
      <span className="flex gap-1 max-sm:hidden">
        <WindowsMenu choices={choices} />
        <WorkspacesMenu read={workspace} />
      </span>
    </>
  );
}

/** Adds a second or third ladder: the same book with another grouping, which costs nothing, or another coin. */
function AddLadder({ isFull, onAdd }: Pick<PageMenusProps, 'isFull' | 'onAdd'>) {
  const withKey = useWithKey();
  const { open, onOpenChange } = usePageMenu('add');
  return (
    <Popover
      name="Add a ladder"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <Button
          icon={Columns2}
          aria-label="Add a ladder"
          title={isFull ? 'Three ladders are the most' : withKey('Add a ladder beside this one', 'add ladder')}
          disabled={isFull}
        >
          <span className="sr-only">Add a ladder</span>
        </Button>
      }
    >
      <Choices
        onAdd={(book) => {
          onOpenChange(false);
          onAdd(book);
        }}
      />
    </Popover>
  );
}

function Choices({ onAdd }: Pick<PageMenusProps, 'onAdd'>) {
  const { coin, tick } = useBookPage();
  const ticks = useLiveTicks();
  const [preset] = useState(() => tickBeside(ticks, tick));
  return (
    <div className="flex flex-col gap-2">
      {preset !== undefined && (
        <Button look="plain" onClick={() => onAdd({ coin, tick: preset })}>
          {coin} grouped by {grouped(preset)} <PriceTag credits={0} />
        </Button>
      )}
      <CoinList coin={coin} onPick={(other) => onAdd({ coin: other })} />
    </div>
  );
}

const CHOICES = [{ key: POP_LADDER, name: 'Ladder' }, ...PANES];

/** Opens the ladder or a pane in a separate window, which follows the book itself at its own cost. */
function WindowsMenu({ choices }: Pick<PageMenusProps, 'choices'>) {
  const { coin } = useBookPage();
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
