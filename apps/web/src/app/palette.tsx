import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { useState } from 'react';
import { type Action, keyText, useIsKeyOn } from '../hooks/actions.ts';
import { useRecentActions } from '../state/recents.ts';
import { classNames } from '../ui/class-names.ts';
import { useModal } from '../ui/use-modal.ts';
import { usePaletteActions } from './palette-actions.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
  /** Returns what was typed before the palette was rendered. */
  readonly typedAhead: () => string;
}

const valueOf = (title: string, { id }: Action) => `${title} ${id}`;

/** All actions and destinations, found by typing: the page's own actions, pages, coins, wallets, views, an oid. */
export function Palette({ onClose, onShortcuts, typedAhead }: PaletteProps) {
  const [query, setQuery] = useState(typedAhead);
  /** The action that was moved to; without one, the first is selected, also when a better one arrives later. */
  const [moved, setMoved] = useState('');
  const isKeyOn = useIsKeyOn();
  const groups = usePaletteActions(query, onShortcuts);
  const values = groups.flatMap(({ title, actions }) => actions.map((action) => valueOf(title, action)));
  const [first = ''] = values;
  const selected = values.includes(moved) ? moved : first;
  const { close, ...modal } = useModal(true, onClose);
  const run = (action: Action) => {
    close();
    useRecentActions.getState().note(action.id);
    action.run();
  };

  return (
    <dialog
      {...modal}
      aria-label="Command palette"
      className="mt-[12vh] max-h-[min(520px,76vh)] w-[min(560px,calc(100vw-32px))] overflow-hidden rounded-4 border border-edge bg-surface-1 open:flex"
    >
      <CommandRoot
        shouldFilter={false}
        loop
        vimBindings={false}
        label="Search pages, coins, wallets, groups, views, orders, blocks and actions"
        value={selected}
        onValueChange={(value) => setMoved(value === first ? '' : value)}
        // Without it, the dialog would focus the list itself, and what is typed would be lost.
        tabIndex={undefined}
        className="flex min-w-0 grow flex-col outline-none"
      >
        <CommandInput
          placeholder="Page, coin, wallet, oid, block, action"
          value={query}
          onValueChange={setQuery}
          className="h-10 w-full shrink-0 border-b border-line bg-transparent px-3 text-15 text-strong -outline-offset-2 placeholder:text-dim"
        />
        <CommandList label="Actions" className="min-h-0 grow overflow-y-auto p-1">
          {groups.map(({ title, actions }) => (
            <CommandGroup
              key={title}
              heading={title}
              className="**:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:pt-1.5 **:[[cmdk-group-heading]]:text-11 **:[[cmdk-group-heading]]:text-dim"
            >
              {actions.map((action) => {
                const value = valueOf(title, action);
                const look = action.isPrivate && value !== selected ? 'private' : undefined;
                const { hint, keys } = action;
                return (
                  <CommandItem
                    key={action.id}
                    value={value}
                    onSelect={() => run(action)}
                    className="flex min-h-7 cursor-pointer flex-wrap items-center justify-between gap-x-4 rounded-4 px-2 py-1 aria-selected:bg-surface-3 aria-selected:text-strong"
                  >
                    <span className={classNames('min-w-0 wrap-anywhere', look)}>{action.label}</span>
                    <span className="num ml-auto flex items-center gap-2 text-11 text-dim">
                      {hint !== undefined && isKeyOn(hint) && <span className={look}>{hint}</span>}
                      {keys !== undefined && isKeyOn(keys) && (
                        <>
                          {' '}
                          <kbd className="min-w-5 rounded-4 border border-edge px-1 text-center">{keyText(keys)}</kbd>
                        </>
                      )}
                    </span>
                  </CommandItem>
                );
              })}
            </CommandGroup>
          ))}
        </CommandList>
        {groups.length === 0 && (
          <p className="p-3 text-dim">
            Nothing matches “{query}”. Try a page, coin, label, group, saved view, the start of an address, an oid, or a
            recent or upcoming block height.
          </p>
        )}
      </CommandRoot>
    </dialog>
  );
}
