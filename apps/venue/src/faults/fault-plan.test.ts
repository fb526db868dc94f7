import { describe, expect, it } from 'vitest';
import { FaultPlan } from './fault-plan.ts';
import { Packet } from './packet.ts';

/** Timers that run only when a test advances them. */
class Hand {
  readonly #waiting: { readonly run: () => void; at: number; cancelled: boolean }[] = [];
  #now = 0;

  readonly schedule = (run: () => void, ms: number) => {
    const timer = { run, at: this.#now + ms, cancelled: false };
    this.#waiting.push(timer);
    return {
      cancel: () => {
        timer.cancelled = true;
      },
    };
  };

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#waiting.filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) {
      this.#waiting.splice(this.#waiting.indexOf(timer), 1);
      if (!timer.cancelled) timer.run();
    }
  }
}

function block(height: number, ...coins: readonly string[]): Packet {
  return new Packet(new Map(coins.map((coin) => [coin, { coin, height, time: height, statuses: [], diffs: [] }])));
}

/** Summary of a packet: `BTC 3, ETH 3`. */
function short(packet: Packet): string {
  return [...packet.messages.values()].map(({ coin, height }) => `${coin} ${height}`).join(', ');
}

describe('delay', () => {
  it('delays each block by its time and keeps later blocks behind the last one', () => {
    const hand = new Hand();
    const plan = new FaultPlan(hand.schedule);
    const late: string[] = [];
    plan.add({ kind: 'delay', coin: 'BTC', ms: 100, blocks: 2 }, (packet) => late.push(short(packet)));
    const passed = (height: number) => plan.pass(block(height, 'BTC', 'ETH')).map(short);
    expect(passed(1)).toEqual(['ETH 1']);
    hand.pass(60);
    expect(passed(2)).toEqual(['ETH 2']);
    expect(passed(3)).toEqual(['ETH 3']);
    expect(late).toEqual([]);
    hand.pass(40);
    expect(late).toEqual(['BTC 1']);
    hand.pass(60);
    expect(late).toEqual(['BTC 1', 'BTC 2', 'BTC 3']);
    expect(passed(4)).toEqual(['BTC 4, ETH 4']);
    expect(plan.states).toEqual([]);
  });

  it('sends nothing once it is cleared', () => {
    const hand = new Hand();
    const plan = new FaultPlan(hand.schedule);
    const late: string[] = [];
    plan.add({ kind: 'delay', coin: null, ms: 100, blocks: 5 }, (packet) => late.push(short(packet)));
    expect(plan.pass(block(1, 'BTC'))).toEqual([]);
    plan.clear();
    hand.pass(1_000);
    expect(late).toEqual([]);
    expect(plan.pass(block(2, 'BTC')).map(short)).toEqual(['BTC 2']);
  });
});

describe('reorder', () => {
  it('of a quiet coin waits for its next block, whatever happens to other coins', () => {
    const plan = new FaultPlan(new Hand().schedule);
    plan.add({ kind: 'reorder', coin: 'BTC', blocks: 1 }, () => undefined);
    expect(plan.pass(block(1, 'BTC', 'ETH')).map(short)).toEqual(['ETH 1']);
    expect(plan.pass(block(2, 'ETH')).map(short)).toEqual(['ETH 2']);
    expect(plan.pass(block(3, 'BTC', 'ETH')).map(short)).toEqual(['BTC 3, ETH 3', 'BTC 1']);
    expect(plan.pass(block(4, 'BTC')).map(short)).toEqual(['BTC 4']);
  });

  it('without a coin swaps whole blocks', () => {
    const plan = new FaultPlan(new Hand().schedule);
    plan.add({ kind: 'reorder', coin: null, blocks: 1 }, () => undefined);
    expect(plan.pass(block(1, 'BTC', 'ETH'))).toEqual([]);
    expect(plan.pass(block(2, 'ETH')).map(short)).toEqual(['ETH 2', 'BTC 1, ETH 1']);
  });
});

describe('silence and refusal', () => {
  it('last as long as the latest request says', () => {
    const hand = new Hand();
    const plan = new FaultPlan(hand.schedule);
    let ends = 0;
    plan.silence(100, () => (ends += 1));
    plan.refuse(100);
    hand.pass(60);
    plan.silence(100, () => (ends += 1));
    plan.refuse(100);
    hand.pass(60);
    expect([plan.isSilent, plan.refusesConnections, ends]).toEqual([true, true, 0]);
    hand.pass(40);
    expect([plan.isSilent, plan.refusesConnections, ends]).toEqual([false, false, 1]);
  });
});
