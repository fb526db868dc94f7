import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { liveStatus } from '../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { must } from '../../test-support/must.ts';
import { act, click, only, render } from '../../test-support/render.ts';
import { IntegrityLine } from './integrity-line.tsx';

const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);

const exact = liveStatus(NOW, { roundTripMs: 62 });

let send: (status: LiveStatus) => Promise<void>;
let posted: unknown[];
let container: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  const { live, ...worker } = statusLive('live');
  ({ posted, send } = worker);
  ({ container } = await render(
    <LiveProvider value={live}>
      <IntegrityLine />
    </LiveProvider>,
  ));
  return () => vi.useRealTimers();
});

const line = () => only(container, '[data-part=integrity]');
const text = () => line().textContent?.replaceAll(/\s+/g, ' ').trim();

describe('the integrity line', () => {
  it('shows EXACT with block, sequence, epoch and gaps while the book is exact', async () => {
    await send(exact);
    expect(text()).toBe('● EXACT·age 0.06 s·link 62 ms·block 985,148,232·not verified·0 gaps·seq 88,102·epoch 3f2a');
    expect(line().dataset).toMatchObject({
      state: 'live',
      coin: 'BTC',
      height: '985148232',
      seq: '88102',
      epoch: '3f2a0000-0000-4000-8000-000000000000',
      gaps: '0',
    });
  });

  it('the button that verifies keeps the focus meanwhile, and starts no second comparison', async () => {
    const verify = only(container, '[aria-label="Verify now"]');
    await send(exact);
    verify.focus();
    await send({ ...exact, verification: { kind: 'running', since: NOW } });
    expect(verify.getAttribute('aria-busy')).toBe('true');
    expect(verify).toHaveProperty('disabled', false);
    await click(verify);
    expect(posted).not.toContainEqual({ kind: 'verify' });
    await send(exact);
    await click(verify);
    expect(posted).toContainEqual({ kind: 'verify' });
  });

  it('updates block, sequence and round trip with every status', async () => {
    await send(exact);
    const position = {
      height: 1_000_000_000,
      seq: 88_103,
      epoch: '3f2a0000-0000-4000-8000-000000000000',
      blockTime: NOW,
    };
    await send({ ...exact, position, roundTripMs: 1_200 });
    expect(text()).toBe('● EXACT·age 0.06 s·link 1 s·block 1,000,000,000·not verified·0 gaps·seq 88,103·epoch 3f2a');
    expect(line().dataset).toMatchObject({ height: '1000000000', seq: '88103' });
    await send({ ...exact, position: undefined });
    expect(text()).toBe('● EXACT·0 gaps');
    expect(line().dataset.height).toBeUndefined();
  });

  it.each(['waiting', 'building', 'stale', 'rebuilding', 'unavailable'] as const)(
    'never shows EXACT while the book is %s',
    async (kind) => {
      await send({ ...exact, state: { ...exact.state, kind } });
      expect(text()).not.toContain('EXACT');
      expect(line().dataset.state).toBe(kind);
    },
  );

  it('shows an unproven state without green, and with its own sign', async () => {
    await send(exact);
    expect(line().firstElementChild?.className).toContain('text-exact');
    await send({ ...exact, state: { ...exact.state, kind: 'stale', reason: 'disconnected' } });
    expect(line().firstElementChild?.className).toContain('text-stale');
    expect(text()).toMatch(/^▲ STALE/);
  });

  it('turns stale by itself when nothing arrives, and its age keeps counting', async () => {
    await send(exact);
    await act(async () => {
      vi.advanceTimersByTime(6_000);
    });
    expect(text()).toMatch(/^▲ STALE 6 s/);
    await act(async () => {
      vi.advanceTimersByTime(3_000);
    });
    expect(text()).toMatch(/^▲ STALE 9 s/);
    expect(line().dataset.reason).toBe('nothing comes over the connection');
  });

  it('keeps counting the age while nothing arrives, and explains how it is measured', async () => {
    await send({ ...exact, times: { ...exact.times, offset: { ms: 500, withinMs: 2 } } });
    await act(async () => {
      vi.advanceTimersByTime(2_500);
    });
    expect(text()).toContain('·age 3.0 s·');
    expect(only(container, '[data-part=age]').title).toContain('0.50 s behind the service’s (± 2 ms');
  });

  it('turns suspect by itself when a busy coin falls silent, with the duration and what is usual', async () => {
    await send({ ...exact, times: { ...exact.times, usual: { usualMs: 70, suspectAfterMs: 1_000 } } });
    await act(async () => {
      vi.advanceTimersByTime(1_500);
    });
    expect(text()).toMatch(/^▲ SUSPECT · no block for 1.5 s, usually 0.07 s/);
    expect(line().firstElementChild?.className).toContain('text-stale');
    expect(line().dataset.state).toBe('suspect');
    expect((only(container, 'button') as HTMLButtonElement).disabled).toBe(false);
  });

  it('is quiet, not stale, while pongs arrive', async () => {
    await send(exact);
    await act(async () => {
      vi.advanceTimersByTime(8_000);
    });
    await send({ ...exact, lastMessageAt: NOW + 7_900 });
    expect(text()).toMatch(/^● EXACT, quiet 8 s/);
  });

  it('shows the block and time of a recording, and that the live book is not followed', async () => {
    const recorded = {
      name: 'btc.l4rec',
      coin: 'BTC',
      source: 'a test',
      from: { height: 1, time: 0 },
      to: { height: 9, time: 9 },
      gaps: [],
      isCut: false,
    };
    const { position } = exact;
    if (position === undefined) throw new Error('no position');
    const frozen = { ...position, height: 7, blockTime: Date.UTC(2025, 0, 2, 3, 4, 5, 678), at: NOW, asked: undefined };
    await send({ ...exact, position: undefined, recorded, frozen });
    expect(text()).toBe('▣ RECORDED·block 7·2025-01-02 03:04:05.678 UTC·live book not followed·btc.l4rec');
    expect(line().dataset).toMatchObject({ state: 'recorded', height: '7' });
    expect(line().firstElementChild?.className).toContain('text-stale');
    expect((only(container, 'button') as HTMLButtonElement).disabled).toBe(true);
  });

  it('shows that each block is proved, beside the last comparison, while that holds and the book is live', async () => {
    const { height } = must(exact.position, 'position');
    await send({ ...exact, provedHeight: height });
    expect(text()).toContain('·link 62 ms·block 985,148,232·proved at every block·0 gaps');
    const verification = { kind: 'equal', at: NOW - 14_000, height, orders: 51_336, tookMs: 412 } as const;
    await send({ ...exact, provedHeight: height, verification });
    expect(text()).toContain('·proved at every block·verified 14 s ago · 51,336 orders·');
    for (const unproved of [
      { ...exact, provedHeight: height - 1 },
      { ...exact, provedHeight: undefined },
      { ...exact, provedHeight: height, state: { ...exact.state, kind: 'rebuilding' } as const },
    ]) {
      await send(unproved);
      expect(text()).not.toContain('proved');
    }
  });

  it('keeps a gap visible after recovery, and counts it forever', async () => {
    await send({ ...exact, gaps: 1, lastGap: { at: NOW - 4_000, detail: 'prev_seq 14, had 12' } });
    expect(text()).toContain('1 gap, last 4 s ago');
    await act(async () => {
      vi.advanceTimersByTime(60_000);
    });
    expect(text()).toContain('·1 gap');
    expect(text()).not.toContain('last');
  });

  it('puts a gap before the parts that may not fit, and all parts in the title', async () => {
    await send({ ...exact, gaps: 1, lastGap: { at: NOW, detail: 'prev_seq 14, had 12' } });
    const first = [...line().children].filter(({ className }) => className.includes('order-1'));
    expect(first.map(({ textContent }) => textContent)).toEqual(['·1 gap, last 0 s ago']);
    const epoch = 'epoch 3f2a0000-0000-4000-8000-000000000000';
    const described = document.getElementById(line().getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toMatch(/^EXACT: \S/);
    expect(line().title).toContain(epoch);
  });
});

describe('verify now', () => {
  const button = () => only(container, 'button') as HTMLButtonElement;
  const proof = () => only(container, '[data-part=verification]').parentElement as HTMLElement;

  it('requests a comparison and shows its result', async () => {
    await send(exact);
    await click(button());
    expect(posted.at(-1)).toEqual({ kind: 'verify' });
    await send({ ...exact, verification: { kind: 'running', since: NOW } });
    expect(button().getAttribute('aria-busy')).toBe('true');
    await send({
      ...exact,
      verification: { kind: 'equal', at: NOW - 14_000, height: 985_148_232, orders: 51_336, tookMs: 412 },
    });
    expect(text()).toContain('·verified 14 s ago · 51,336 orders·');
    expect(proof().title).toContain('51,336 orders match at block 985,148,232, in 412 ms');
    await send({ ...exact, verification: { kind: 'different', at: NOW, detail: 'ask 12 differs' } });
    expect(text()).toContain('·differed 0 s ago');
    expect(proof().title).toContain('ask 12 differs');
  });

  it('is disabled for a book that is not live', async () => {
    await send({ ...exact, state: { ...exact.state, kind: 'rebuilding' } });
    expect(button().disabled).toBe(true);
  });
});
