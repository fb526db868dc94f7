/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
   a combobox with a listbox: the input keeps the focus and has the keys, as the pattern says */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Command } from '../hooks/commands.ts';
import { useModal } from '../ui/use-modal.ts';
import { usePaletteCommands } from './palette-commands.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
  /** What was typed before it was there. */
  readonly typedAhead: () => string;
}

/** Everything one can do or go to, by typing: the page’s own commands, pages, coins, wallets, views, an oid, actions. */
export function Palette({ onClose, onShortcuts, typedAhead }: PaletteProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState(typedAhead);
  /** By its id: what is found a moment later does not move the choice. */
  const [active, setActive] = useState<string>();
  const groups = usePaletteCommands(query, onShortcuts);
  const commands = groups.flatMap((group) => group.commands);
  const at = Math.max(
    0,
    commands.findIndex((command) => command.id === active),
  );
  const { close, ...modal } = useModal(true, onClose);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const move = (to: number) => {
    const next = (to + commands.length) % Math.max(1, commands.length);
    setActive(commands[next]?.id);
    list.current?.querySelector(`[data-at="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') run(commands[at]);
    else return;
    event.preventDefault();
  };

  const first = groups.map((_, group) =>
    groups.slice(0, group).reduce((sum, { commands: own }) => sum + own.length, 0),
  );
  return (
    <dialog
      {...modal}
      aria-label="Command palette"
      className="mt-[12vh] max-h-[min(520px,76vh)] w-[min(560px,calc(100vw-32px))] flex-col overflow-hidden rounded-4 border border-edge bg-surface-1 open:flex"
    >
      <input
        role="combobox"
        aria-label="Search pages, coins, wallets, groups, views, orders, blocks and actions"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Page, coin, wallet, oid, block, action"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(undefined);
        }}
        onKeyDown={onKeyDown}
        className="h-10 w-full shrink-0 border-b border-line bg-transparent px-3 text-15 text-strong -outline-offset-2 placeholder:text-dim"
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Commands"
        className="min-h-0 grow overflow-y-auto p-1"
      >
        {groups.map(({ title, commands: offered }, group) => (
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden className="px-2 pt-1.5 text-11 text-dim">
              {title}
            </p>
            {offered.map((command, index) => {
              const place = (first[group] ?? 0) + index;
              return (
                <div
                  key={command.id}
                  id={`${id}-${place}`}
                  data-at={place}
                  role="option"
                  aria-selected={place === at}
                  onClick={() => run(command)}
                  onPointerMove={() => setActive(command.id)}
                  className={`flex min-h-7 cursor-pointer flex-wrap items-center justify-between gap-x-4 rounded-4 px-2 py-1 ${place === at ? 'bg-surface-3 text-strong' : ''}`}
                >
                  <span className="min-w-0 wrap-anywhere">{command.text}</span>
                  {command.hint !== undefined && <span className="num ml-auto text-11 text-dim">{command.hint}</span>}
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
