import type { CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import { Chance, fuzzRuns } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareWithLevels, describeDifference } from '../compare.ts';
import { Follower } from '../test-support/follower.ts';
import { SimulatedSource } from '../test-support/simulated-source.ts';

const COINS = ['BTC', 'ETH'] as const;

type Coin = (typeof COINS)[number];

/** What may happen between the source and two coins of one subscription. */
type Action =
  | { readonly kind: 'block'; readonly coins: readonly Coin[] }
  /** The oldest frame in flight arrives, twice, without one coin's entry, later than the next ones, or never. */
  | { readonly kind: 'deliver' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'dropEntry'; readonly coin: Coin }
  | { readonly kind: 'delay'; readonly by: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'rebuild'; readonly coin: Coin }
  /** The snapshot a coin waits for arrives, fresh or from some snapshots ago, or fails. */
  | { readonly kind: 'respond'; readonly coin: Coin }
  | { readonly kind: 'respondOld'; readonly coin: Coin; readonly ago: number }
  | { readonly kind: 'failResponse'; readonly coin: Coin }
  /** A response to a request from long ago. */
  | { readonly kind: 'lateResponse'; readonly coin: Coin }
  | { readonly kind: 'reconnect' }
  /** The same, and the source replays what each coin missed, if it can. */
  | { readonly kind: 'resume' };

const coin = fc.constantFrom(...COINS);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('block' as const), coins: fc.subarray([...COINS], { minLength: 1 }) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('respond' as const), coin }) },
  fc.record({ kind: fc.constant('duplicate' as const) }),
  fc.record({ kind: fc.constant('dropEntry' as const), coin }),
  fc.record({ kind: fc.constant('delay' as const), by: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('drop' as const) }),
  fc.record({ kind: fc.constant('restart' as const) }),
  fc.record({ kind: fc.constant('rebuild' as const), coin }),
  fc.record({ kind: fc.constant('respondOld' as const), coin, ago: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('failResponse' as const), coin }),
  fc.record({ kind: fc.constant('lateResponse' as const), coin }),
  fc.record({ kind: fc.constant('reconnect' as const) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
);

/** The source, the wire, and a follower for each coin. */
class Scene {
  readonly source: SimulatedSource;
  readonly followers: Record<Coin, Follower> = { BTC: new Follower('BTC'), ETH: new Follower('ETH') };
  /** Violations of the invariant that a live coin holds exactly the book that the source had at its epoch and seq. */
  readonly differences: string[] = [];
  private wire: (readonly CoinBatch[])[] = [];
  /** Every block of the source, oldest first. */
  private readonly made: (readonly CoinBatch[])[] = [];
  private readonly snapshots: Record<Coin, DecodedSnapshot[]> = { BTC: [], ETH: [] };

  constructor(seed: number) {
    this.source = new SimulatedSource(COINS, new Chance(seed));
    for (const name of COINS) this.followers[name].send({ kind: 'subscribed' });
  }

  run(action: Action): void {
    switch (action.kind) {
      case 'block':
        this.made.push(this.source.block(action.coins));
        this.wire.push(this.made.at(-1) ?? []);
        for (const name of action.coins) this.snapshots[name].push(this.source.snapshot(name));
        break;
      case 'deliver':
        this.deliver(this.wire.shift() ?? []);
        break;
      case 'duplicate': {
        const frame = this.wire.shift() ?? [];
        this.deliver(frame);
        this.deliver(frame);
        break;
      }
      case 'dropEntry':
        this.deliver((this.wire.shift() ?? []).filter((entry) => entry.coin !== action.coin));
        break;
      case 'delay': {
        const frame = this.wire.shift();
        if (frame !== undefined) this.wire.splice(action.by, 0, frame);
        break;
      }
      case 'drop':
        this.wire.shift();
        break;
      case 'restart':
        this.source.restart();
        break;
      case 'rebuild':
        this.source.rebuild(action.coin);
        break;
      case 'respond':
        this.followers[action.coin].respond(this.source.snapshot(action.coin));
        break;
      case 'respondOld': {
        const old = this.snapshots[action.coin].at(-action.ago);
        if (old !== undefined) this.followers[action.coin].respond(old);
        break;
      }
      case 'failResponse':
        this.followers[action.coin].failResponse();
        break;
      case 'lateResponse':
        this.followers[action.coin].send({ kind: 'snapshot', request: 1, snapshot: this.source.snapshot(action.coin) });
        break;
      case 'reconnect':
        this.wire = [];
        for (const follower of Object.values(this.followers)) follower.send({ kind: 'disconnected' });
        for (const follower of Object.values(this.followers)) follower.send({ kind: 'subscribed' });
        break;
      case 'resume':
        this.wire = [];
        for (const name of COINS) this.resume(name);
        break;
    }
    for (const name of COINS) this.differences.push(...this.differenceOf(name));
  }

  /** A coin resumes after its last entry, if all later entries of its epoch are an unbroken run. */
  private resume(name: Coin): void {
    const follower = this.followers[name];
    follower.send({ kind: 'disconnected' });
    const { epoch, seq: until } = this.source.snapshot(name);
    const held = follower.state.kind === 'idle' ? follower.state.held : undefined;
    const missed = this.made
      .flatMap((frame) => frame.filter((entry) => entry.coin === name && entry.epoch === epoch))
      .filter(({ seq }) => held !== undefined && seq > held.seq);
    const isWhole = (missed.at(-1)?.seq ?? held?.seq) === until && isRun(held?.seq, missed);
    if (held?.epoch !== epoch || !isWhole) {
      follower.send({ kind: 'subscribed' });
      return;
    }
    follower.send({ kind: 'resumed', until });
    for (const entry of missed) this.wire.push([entry]);
  }

  /** No more faults: everything in flight arrives, and snapshot requests get their responses. */
  settle(): void {
    while (this.wire.length > 0) this.run({ kind: 'deliver' });
    for (let round = 0; round < 3; round += 1) {
      this.run({ kind: 'block', coins: [...COINS] });
      this.run({ kind: 'deliver' });
      for (const name of COINS) this.run({ kind: 'respond', coin: name });
    }
  }

  private differenceOf(name: Coin): readonly string[] {
    const { state, book } = this.followers[name];
    if (state.kind !== 'live' || book === undefined) return [];
    const difference = compareWithLevels(this.source.levelsAt(name, state.epoch, state.seq), book);
    return difference === undefined ? [] : [`${name}: ${describeDifference(difference)}`];
  }

  private deliver(frame: readonly CoinBatch[]): void {
    for (const entry of frame) this.followers[entry.coin as Coin].batch(entry);
  }
}

function isRun(from: number | undefined, entries: readonly CoinBatch[]): boolean {
  return entries.every(({ prevSeq }, index) => prevSeq === (entries[index - 1]?.seq ?? from));
}

describe('book and sync against a source', () => {
  it('[L4-1, L4-2, L4-3, L4-4, L4-5, L4-6, L4-8] keeps live coins equal to the source, and every coin becomes live', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(action, { maxLength: 120 }), (seed, actions) => {
        const scene = new Scene(seed);
        for (const next of actions) scene.run(next);
        scene.settle();
        expect(scene.differences).toEqual([]);
        for (const name of COINS) {
          const { state, book } = scene.followers[name];
          const { epoch, seq, levels } = scene.source.snapshot(name);
          expect(state).toMatchObject({ kind: 'live', epoch, seq });
          expect(book?.levels()).toEqual(levels);
        }
      }),
      fuzzRuns(150),
    );
  });

  /** Events around a subscription that may have become effective at any time. */
  const unacknowledged = fc.constantFrom('block', 'block', 'deliver', 'deliver', 'respond', 'effective', 'acknowledge');

  it('[L4-2, L4-8] makes a coin live only if every block after its snapshot arrived or is in flight, acknowledged or not', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(unacknowledged, { minLength: 4, maxLength: 40 }), (seed, steps) => {
        const source = new SimulatedSource(['BTC'], new Chance(seed));
        const follower = new Follower('BTC');
        const wire: CoinBatch[] = [];
        let streams = false;
        let acknowledged = false;
        follower.send({ kind: 'assumed' });
        for (const step of steps) {
          if (step === 'block') {
            const [made] = source.block(['BTC']);
            if (streams && made !== undefined) wire.push(made);
          } else if (step === 'deliver') {
            const [next] = wire.splice(0, 1);
            if (next !== undefined) follower.batch(next);
          } else if (step === 'respond') follower.respond(source.snapshot('BTC'));
          else streams = true;
          // The acknowledgement is sent when the subscription becomes effective, or later, or never.
          if (step === 'acknowledge' && !acknowledged) {
            acknowledged = true;
            follower.send({ kind: 'subscribed' });
          }
          const { state, book } = follower;
          if (state.kind !== 'live') continue;
          const missing = source.snapshot('BTC').seq - state.seq;
          expect(wire.filter(({ seq }) => seq > state.seq)).toHaveLength(missing);
          expect(book?.levels()).toEqual(source.levelsAt('BTC', state.epoch, state.seq));
        }
        streams = true;
        for (let round = 0; round < 3; round += 1) {
          wire.push(...source.block(['BTC']));
          for (const next of wire.splice(0)) follower.batch(next);
          follower.respond(source.snapshot('BTC'));
        }
        expect(follower.state).toMatchObject({ kind: 'live', seq: source.snapshot('BTC').seq });
      }),
      fuzzRuns(300),
    );
  });

  it('[L4-7] does not let a coin that loses its entries disturb the other coin of the array', () => {
    const steps = fc.array(fc.constantFrom('deliver', 'dropEntry'), { minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(fc.nat(), steps, (seed, kinds) => {
        const scene = new Scene(seed);
        for (const name of COINS) scene.run({ kind: 'respond', coin: name });
        for (const kind of kinds) {
          scene.run({ kind: 'block', coins: [...COINS] });
          scene.run(kind === 'deliver' ? { kind: 'deliver' } : { kind: 'dropEntry', coin: 'BTC' });
          expect(scene.followers.ETH.state.kind).toBe('live');
        }
        expect(scene.followers.ETH.reasons).toEqual([null]);
        scene.settle();
        expect(scene.differences).toEqual([]);
        expect(scene.followers.BTC.state.kind).toBe('live');
      }),
      fuzzRuns(40),
    );
  });
});
