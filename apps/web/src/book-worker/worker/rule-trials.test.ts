import { L4Book } from '@l4desk/book';
import { History, RuleTrial } from '@l4desk/insight';
import type { CoinBatch } from '@l4desk/protocol';
import { decodeUpdates } from '@l4desk/protocol';
import { Chance, SourceBook } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import type { TrialReport, WatchRule } from '../watch.ts';
import { RuleTrials } from './rule-trials.ts';

const EPOCH = '3f2a0000-0000-4000-8000-000000000000';

/** A history of this many blocks, and the same blocks as they arrived. */
function lived(blocks: number, timeOf = (seq: number) => seq * 70) {
  const source = new SourceBook('BTC', new Chance(31), 60);
  const history = new History('BTC');
  const past: { readonly batch: CoinBatch; readonly levels: ReturnType<SourceBook['levels']> }[] = [];
  const first = source.levels();
  history.begin(L4Book.build('BTC', first).book, { height: 100, time: 0, epoch: EPOCH, seq: 0 }, '');
  for (let seq = 1; seq <= blocks; seq += 1) {
    const { diffs, statuses } = source.block();
    const entry = { coin: 'BTC', seq, prev_seq: seq - 1, order_statuses: statuses, book_diffs: diffs };
    const updates = { epoch: EPOCH, block_height: 100 + seq, time: timeOf(seq), cursor: '', book_diffs: [entry] };
    const batch = must(decodeUpdates(updates).coins[0], 'batch');
    history.add(batch);
    past.push({ batch, levels: source.levels() });
  }
  return { history, first, past };
}

const RULES: readonly WatchRule[] = [
  { kind: 'imbalance', withinBps: '10', above: '0.3' },
  { kind: 'wall', withinBps: '100', minSz: '1' },
];

function trying(history: History) {
  const timers: (() => void)[] = [];
  const told: { readonly serial: number; readonly trial: TrialReport }[] = [];
  let now = 0;
  const trials = new RuleTrials({
    line: () => history,
    // Each read of the clock advances it by a millisecond.
    now: () => {
      now += 1;
      return now;
    },
    later: (task) => void timers.push(task),
    tell: (serial, trial) => void told.push({ serial, trial }),
  });
  const turn = () => timers.splice(0).forEach((task) => task());
  const finish = () => {
    let turns = 0;
    while (timers.length > 0) {
      turn();
      turns += 1;
    }
    return turns;
  };
  return { trials, told, turn, finish };
}

describe('[WEB-96, INS-48] rules on the kept minutes', () => {
  it('fire as they would have on the same live blocks, and leave the shown moment of time travel unchanged', () => {
    const { history, first, past } = lived(90);
    const user = must(first[0][0]?.user, 'owner');
    const rules: readonly WatchRule[] = [
      ...RULES,
      { kind: 'wallet', user, event: 'placed', minSz: '0.001' },
      { kind: 'place', user, place: 1 },
    ];
    const plain = new RuleTrial('BTC', rules, { hitsMax: 200 });
    plain.onBook(L4Book.build('BTC', first).book, { height: 100, time: 0, epoch: EPOCH });
    for (const { batch, levels } of past) {
      const position = { height: batch.height, time: batch.time, epoch: EPOCH };
      plain.onBlock(batch.changes, L4Book.build('BTC', levels).book, position);
    }
    const wanted = plain.result;
    expect(wanted.counts.every((count) => count > 1)).toBe(true);
    const shown = history.bookAt(history.first + 20);
    const checksum = shown.checksum();
    const { trials, told, finish } = trying(history);
    trials.begin(7, rules);
    expect(finish()).toBeGreaterThan(20);
    const last = must(told.at(-1), 'report');
    expect(last).toEqual({
      serial: 7,
      trial: {
        kind: 'done',
        tried: wanted,
        from: { height: 100, time: 0 },
        to: { height: 190, time: 90 * 70 },
        spanMs: 90 * 70,
        gaps: 0,
      },
    });
    expect(shown.checksum()).toBe(checksum);
    expect(told.filter(({ trial }) => trial.kind === 'running').length).toBeGreaterThan(1);
  });

  it('continue over a gap: its time does not count, and conditions that hold after it fire', () => {
    const { history, past } = lived(40);
    const { levels } = must(past.at(-1), 'block');
    const before = history.markAt(history.last);
    history.begin(L4Book.build('BTC', levels).book, { ...before, height: 900, time: 900_000, seq: 500 }, 'lost');
    const { trials, told, finish } = trying(history);
    trials.begin(1, RULES);
    finish();
    expect(told.at(-1)?.trial).toMatchObject({ kind: 'done', spanMs: 40 * 70, gaps: 1, to: { height: 900 } });
  });

  it('judge the feed by the times of the kept blocks: a silence longer than their pace allows, but no gap', () => {
    const { history, past } = lived(80, (seq) => seq * 70 + (seq > 60 ? 900 : 0) + (seq > 70 ? 2_000 : 0));
    const { levels } = must(past.at(-1), 'block');
    const before = history.markAt(history.last);
    history.begin(L4Book.build('BTC', levels).book, { ...before, height: 900, time: 900_000, seq: 500 }, 'lost');
    const { trials, told, finish } = trying(history);
    trials.begin(1, [{ kind: 'suspect' }]);
    finish();
    const facts = { kind: 'suspect', reason: 'no block for longer than usual' };
    expect(told.at(-1)?.trial).toMatchObject({
      kind: 'done',
      // The pause of 970 ms after block 160 is below the second that is never suspect.
      tried: { counts: [1], hits: [{ rule: 0, coin: 'BTC', height: 170, time: 70 * 70 + 900, facts }] },
    });
  });

  it('end when another trial starts, or one without rules, and report when nothing is kept', () => {
    const { history } = lived(60);
    const { trials, told, turn, finish } = trying(history);
    trials.begin(1, RULES);
    turn();
    trials.begin(2, RULES.slice(0, 1));
    finish();
    expect(told.filter(({ trial }) => trial.kind === 'done').map(({ serial }) => serial)).toEqual([2]);
    trials.begin(3, RULES);
    trials.begin(4, []);
    finish();
    expect(told.filter(({ trial }) => trial.kind === 'done').map(({ serial }) => serial)).toEqual([2]);
    const empty = trying(new History('BTC'));
    empty.trials.begin(5, RULES);
    expect(empty.told).toEqual([{ serial: 5, trial: { kind: 'nothing' } }]);
  });
});
