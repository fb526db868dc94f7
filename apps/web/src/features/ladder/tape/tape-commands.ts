import { useMemo } from 'react';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { Command } from '../../../hooks/commands.ts';
import { grouped } from '../../../ui/format.ts';
import { focusIn } from '../pane-focus.ts';
import { type LadderChoices, TAPE_KINDS } from '../search.ts';
import { TAPE_KIND_TEXTS } from './texts.ts';

const ALL = { kinds: undefined, side: undefined, here: undefined, wallet: undefined, least: undefined } as const;

/** The tape's filters as palette commands. Each opens the tape; the current choices are not offered while it is open. */
export function useTapeCommands(
  { kinds, side, here, wallet, least, tape }: LadderChoices,
  level: LevelRef | undefined,
  pane: string | undefined,
  change: (next: LadderChoices) => void,
  onPane: (key: string) => void,
): readonly Command[] {
  const only = kinds?.length === 1 ? kinds[0] : undefined;
  const isEvents = tape === 'events' || kinds !== undefined;
  const isFiltered = [kinds, side, here, wallet, least].some((choice) => choice !== undefined);
  return useMemo(() => {
    const isOpen = pane === 'tape';
    const command = (id: string, text: string, next: LadderChoices, hint?: string): Command => ({
      id: `tape ${id}`,
      text: `Tape: ${text}`,
      ...(hint === undefined ? {} : { hint }),
      run: () => {
        onPane('tape');
        // What changed between two blocks has the place of the tape.
        change({ ...next, since: undefined });
      },
    });
    const ofKinds = TAPE_KINDS.filter((kind) => !isOpen || kind !== only).map((kind) =>
      command(kind, `only ${TAPE_KIND_TEXTS[kind].toLowerCase()}`, { kinds: [kind] }),
    );
    const ofSides = (['B', 'A'] as const)
      .filter((one) => !isOpen || one !== side)
      .map((one) => command(one, one === 'B' ? 'only bids' : 'only asks', { side: one }));
    const filter = command('filter', 'one wallet, or from a size on', {});
    return [
      ...ofKinds,
      ...ofSides,
      ...(level === undefined || (isOpen && here === '1')
        ? []
        : [command('here', `only at ${grouped(level.px)}`, { here: '1' }, 'the selected level')]),
      {
        ...filter,
        run: () => {
          filter.run();
          focusIn('tape');
        },
      },
      ...(isOpen && !isEvents && !isFiltered ? [] : [command('prints', 'prints', { ...ALL, tape: undefined })]),
      ...(isOpen && isEvents && !isFiltered ? [] : [command('all', 'every change', { ...ALL, tape: 'events' })]),
    ];
  }, [pane, only, side, here, level, isFiltered, isEvents, change, onPane]);
}
