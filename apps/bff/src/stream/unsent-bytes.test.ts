import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Sender, UnsentBytes } from './unsent-bytes.ts';

class FakeSender implements Sender {
  readonly accountId: string;
  unsentBytes = 0;
  isCut = false;

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  cut(): void {
    if (this.isCut) throw new Error('cut twice');
    this.isCut = true;
  }
}

/** Writes to a sender like a connection. */
function write(unsent: UnsentBytes, sender: FakeSender, bytes: number): void {
  sender.unsentBytes += bytes;
  unsent.note(sender);
}

describe('unsent bytes', () => {
  test('[WS-35] above the limit of an account terminate only its connection with the most', () => {
    const unsent = new UnsentBytes({ accountMax: 100, totalMax: 1_000 });
    const [one, two, other] = [new FakeSender('a'), new FakeSender('a'), new FakeSender('b')];
    write(unsent, other, 90);
    write(unsent, one, 60);
    write(unsent, two, 40);
    expect([one, two, other].map(({ isCut }) => isCut)).toEqual([false, false, false]);
    write(unsent, two, 1);
    expect([one, two, other].map(({ isCut }) => isCut)).toEqual([true, false, false]);
    expect(unsent.total).toBe(131);
  });

  test('[WS-35] above the total limit terminate the connection with the most of the account with the most', () => {
    const unsent = new UnsentBytes({ accountMax: 1_000, totalMax: 100 });
    const [big, one, two] = [new FakeSender('a'), new FakeSender('b'), new FakeSender('b')];
    write(unsent, big, 45);
    write(unsent, one, 20);
    write(unsent, two, 30);
    write(unsent, big, 6);
    expect([big, one, two].map(({ isCut }) => isCut)).toEqual([true, false, false]);
    const late = new FakeSender('c');
    write(unsent, late, 45);
    // Two connections of one account together have more than the larger one of another account.
    write(unsent, one, 6);
    expect([late, one, two].map(({ isCut }) => isCut)).toEqual([false, false, true]);
  });

  test('[WS-35] do not include bytes that were sent since the last write', () => {
    const unsent = new UnsentBytes({ accountMax: 100, totalMax: 100 });
    const [drained, busy] = [new FakeSender('a'), new FakeSender('a')];
    write(unsent, drained, 90);
    drained.unsentBytes = 0;
    write(unsent, busy, 90);
    expect([drained.isCut, busy.isCut, unsent.total]).toEqual([false, false, 90]);
  });

  test('[WS-35] never exceed a limit or terminate needlessly, for any order of writes, reads and closes', () => {
    const step = fc.record({
      who: fc.nat({ max: 7 }),
      change: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom<'read' | 'end'>('read', 'end')),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const unsent = new UnsentBytes({ accountMax: 100, totalMax: 150 });
        const senders = Array.from({ length: 8 }, (_, place) => new FakeSender(`account ${place % 3}`));
        const sum = (of: readonly FakeSender[]) =>
          of.reduce((bytes, sender) => bytes + (sender.isCut ? 0 : sender.unsentBytes), 0);
        for (const { who, change } of steps) {
          const sender = senders[who];
          if (sender === undefined || sender.isCut) continue;
          const its = senders.filter(({ accountId }) => accountId === sender.accountId);
          if (change === 'read') {
            sender.unsentBytes = Math.floor(sender.unsentBytes / 2);
            continue;
          }
          if (change === 'end') {
            sender.unsentBytes = 0;
            unsent.forget(sender);
            continue;
          }
          const cutBefore = senders.filter(({ isCut }) => isCut).length;
          const fits = sum(its) + change <= 100 && sum(senders) + change <= 150;
          write(unsent, sender, change);
          expect(sum(its)).toBeLessThanOrEqual(100);
          expect(sum(senders)).toBeLessThanOrEqual(150);
          expect(senders.filter(({ isCut }) => isCut).length === cutBefore).toBe(fits);
          expect(unsent.total).toBe(sum(senders));
        }
      }),
    );
  });
});
