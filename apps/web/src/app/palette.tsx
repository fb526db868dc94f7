/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
   a combobox with a listbox: the input keeps the focus and has the keys, as the pattern says */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Command } from '../hooks/commands.ts';
import { usePaletteCommands } from './palette-commands.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Everything one can do or go to, by typing: pages, coins, wallets, an oid, actions. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const groups = usePaletteCommands(query, onShortcuts);
  const commands = groups.flatMap((group) => group.commands);
  const at = Math.min(active, commands.length - 1);
  useEffect(() => dialog.current?.showModal(), []);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    dialog.current?.close();
    // The dialog's own event comes later: a key pressed before it would open a palette that it then closes.
    onClose();
    command.run();
  };
  const move = (to: number) => {
    const next = (to + commands.length) % Math.max(1, commands.length);
    setActive(next);
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
      ref={dialog}
      aria-label="Command palette"
      onClose={onClose}
      className="mt-[12vh] max-h-[min(520px,76vh)] w-[min(560px,calc(100vw-32px))] flex-col overflow-hidden rounded-4 border border-edge bg-surface-1 open:flex"
    >
      <input
        role="combobox"
        aria-label="Search pages, coins, wallets, orders, blocks and actions"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Page, coin, wallet, oid, block, action"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
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
                  onPointerMove={() => setActive(place)}
                  className={`flex h-7 cursor-pointer items-center justify-between gap-4 rounded-4 px-2 ${place === at ? 'bg-surface-3 text-strong' : ''}`}
                >
                  <span className="truncate">{command.text}</span>
                  {command.hint !== undefined && <span className="num shrink-0 text-11 text-dim">{command.hint}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <p className="p-3 text-dim">
          Nothing matches “{query}”. A page, a coin, a label, the beginning of an address, an oid or a block height
          does.
        </p>
      )}
    </dialog>
  );
}
