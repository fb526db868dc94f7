import { classNames } from '../../ui/class-names.ts';
import { AddLadder } from './books/add-ladder.tsx';
import type { BookChoice } from './books/books.ts';
import { WindowsMenu } from './pop/windows-menu.tsx';
import type { LadderChoices } from './search.ts';
import type { currentWorkspace } from './workspaces/current-workspace.ts';
import { WorkspacesMenu } from './workspaces/workspaces-menu.tsx';

/** What a key opens over the page: a menu of the title line, or the legend. */
export type PageMenu = 'coin' | 'add' | 'workspaces' | 'legend';

interface PageMenusProps {
  /** What a window of its own shows. */
  readonly book: { readonly coin: string; readonly tick: string | undefined; readonly choices: LadderChoices };
  readonly workspace: ReturnType<typeof currentWorkspace>;
  /** There is no room for another ladder. */
  readonly isFull: boolean;
  readonly open: PageMenu | undefined;
  readonly onOpenChange: (menu: PageMenu, isOpen: boolean) => void;
  readonly onAdd: (book: BookChoice) => void;
}

/** With more characters of coin and grouping, a phone's title line has no room to add a ladder: the palette does. */
const SHORT_MAX = 9;

/** The controls that concern more than one ladder. */
export function PageMenus({ book, workspace, isFull, open, onOpenChange, onAdd }: PageMenusProps) {
  const { coin, tick, choices } = book;
  const isLong = coin.length + (tick?.length ?? 0) > SHORT_MAX;
  const openProps = (menu: PageMenu) => ({
    open: open === menu,
    onOpenChange: (isOpen: boolean) => onOpenChange(menu, isOpen),
  });
  return (
    <>
      <span className={classNames('contents', isLong && 'max-sm:hidden')}>
        <AddLadder isFull={isFull} {...openProps('add')} onAdd={onAdd} />
      </span>
      <span className="flex gap-1 max-sm:hidden">
        <WindowsMenu coin={coin} choices={choices} />
        <WorkspacesMenu now={workspace} {...openProps('workspaces')} />
      </span>
    </>
  );
}
