import { expect, it, vi } from 'vitest';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { Command } from '../../../hooks/commands.ts';
import { must } from '../../../test-support/must.ts';
import { render } from '../../../test-support/render.ts';
import type { LadderChoices } from '../search.ts';
import { useTapeCommands } from './tape-commands.ts';

const LEVEL: LevelRef = { side: 'B', px: '81300', tick: '1' };

async function commandsOf(choices: LadderChoices, pane: string | undefined, level?: LevelRef) {
  const change = vi.fn<(next: LadderChoices) => void>();
  const onPane = vi.fn<(key: string) => void>();
  let commands: readonly Command[] = [];
  function Commands() {
    commands = useTapeCommands(choices, level, pane, change, onPane);
    return null;
  }
  await render(<Commands />);
  const run = (text: string) => must(commands.find((command) => command.text === `Tape: ${text}`)).run();
  return { texts: commands.map(({ text }) => text), run, change, onPane };
}

it('the tape’s current filters are not offered while it is open, and are while it is closed', async () => {
  const choices: LadderChoices = { kinds: ['executed'], side: 'A', here: '1' };
  const open = await commandsOf(choices, 'tape', LEVEL);
  expect(open.texts).toEqual([
    'Tape: only added',
    'Tape: only canceled',
    'Tape: only requoted',
    'Tape: only grown, shrunk',
    'Tape: only bids',
    'Tape: one wallet, or from a size on',
    'Tape: prints',
    'Tape: every change',
  ]);
  const closed = await commandsOf(choices, 'level', LEVEL);
  expect(closed.texts).toHaveLength(11);
  expect(closed.texts).toContain('Tape: only at 81,300');
});

it('a filter opens the tape in place of what changed between two blocks, and every change removes all of them', async () => {
  const { texts, run, change, onPane } = await commandsOf({ wallet: `0x${'ab'.repeat(20)}`, since: 5 }, 'owners');
  run('only asks');
  expect(onPane).toHaveBeenCalledExactlyOnceWith('tape');
  expect(change).toHaveBeenLastCalledWith({ side: 'A', since: undefined });
  run('every change');
  expect(change.mock.lastCall?.[0]).toEqual({ tape: 'events' });
  expect(Object.keys(change.mock.lastCall?.[0] ?? {}).sort()).toEqual([
    'here',
    'kinds',
    'least',
    'side',
    'since',
    'tape',
    'wallet',
  ]);
  expect(texts).not.toContain('Tape: only at 81,300');
  expect((await commandsOf({}, 'tape')).texts).not.toContain('Tape: prints');
  expect((await commandsOf({ tape: 'events' }, 'tape')).texts).not.toContain('Tape: every change');
});
