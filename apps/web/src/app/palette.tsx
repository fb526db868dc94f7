import { useState } from 'react';
import type { Command } from '../hooks/commands.ts';
import { useIsKeyOn } from '../hooks/shortcuts.ts';
import { classNames } from '../ui/class-names.ts';
import { useListbox } from '../ui/use-listbox.ts';
import { useModal } from '../ui/use-modal.ts';
import { WithNumbers } from '../ui/with-numbers.tsx';
import { usePaletteCommands } from './palette-commands.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
  /** Returns what was typed before the palette was rendered. */
  readonly typedAhead: () => string;
}

/** A number long enough to be read digit by digit. */
const LONG_NUMBER = /(?<![\w@])(\d[\d.,]{2,}\d)(?!\w)/;

const keyOf = ({ id }: Command) => id;

/** All commands and destinations, found by typing: the page's own commands, pages, coins, wallets, views, an oid, actions. */
export function Palette({ onClose, onShortcuts, typedAhead }: PaletteProps) {
  const [query, setQuery] = useState(typedAhead);
  const isKeyOn = useIsKeyOn();
  const groups = usePaletteCommands(query, onShortcuts);
  const commands = groups.flatMap((group) => group.commands);
  const { close, ...modal } = useModal(true, onClose);
  const run = (command: Command) => {
    close();
    command.run();
  };
  // Results that arrive later do not move the selection.
  const listbox = useListbox({ options: commands, keyOf, onPress: run, wraps: true });

  return (
    <dialog
      {...modal}
      aria-label="Command palette"
      className="mt-[12vh] max-h-[min(520px,76vh)] w-[min(560px,calc(100vw-32px))] flex-col overflow-hidden rounded-4 border border-edge bg-surface-1 open:flex"
    >
      <input
        {...listbox.input}
        aria-label="Search pages, coins, wallets, groups, views, orders, blocks and actions"
        placeholder="Page, coin, wallet, oid, block, action"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          listbox.reset();
        }}
        className="h-10 w-full shrink-0 border-b border-line bg-transparent px-3 text-15 text-strong -outline-offset-2 placeholder:text-dim"
      />
      <div {...listbox.list} aria-label="Commands" className="min-h-0 grow overflow-y-auto p-1">
        {groups.map(({ title, commands: offered }) => (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a group of options, as the pattern says
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden className="px-2 pt-1.5 text-11 text-dim">
              {title}
            </p>
            {offered.map((command) => {
              const place = commands.indexOf(command);
              const look = command.isPrivate && place !== listbox.at ? 'private' : undefined;
              return (
                <div
                  key={command.id}
                  {...listbox.option(place)}
                  aria-selected={place === listbox.at}
                  className={`flex min-h-7 cursor-pointer flex-wrap items-center justify-between gap-x-4 rounded-4 px-2 py-1 ${place === listbox.at ? 'bg-surface-3 text-strong' : ''}`}
                >
                  <span className={classNames('min-w-0 wrap-anywhere', look)}>
                    <WithNumbers text={command.text} pattern={LONG_NUMBER} look="text-12" />
                  </span>
                  {command.hint !== undefined && isKeyOn(command.hint) && (
                    <span className={classNames('num ml-auto text-11 text-dim', look)}>{command.hint}</span>
                  )}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <p className="p-3 text-dim">
          Nothing matches “{query}”. Try a page, coin, label, group, saved view, the start of an address, an oid, or a
          recent or upcoming block height.
        </p>
      )}
    </dialog>
  );
}
