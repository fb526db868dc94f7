import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { liveStatus } from '../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { must } from '../../test-support/must.ts';
import { act, click, only, render } from '../../test-support/render.ts';
import { StatusChip } from './status-chip.tsx';

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
      <StatusChip />
    </LiveProvider>,
  ));
  return () => vi.useRealTimers();
});

const line = () => only(container, '[data-part=integrity]');
const chip = () => only(line(), 'button');
const text = () => line().textContent?.replaceAll(/\s+/g, ' ').trim();
const verifyButton = () => only(container, '[aria-label="Verify now"]') as HTMLButtonElement;
/** The opened details, by name: what is written, and what it means. */
const details = () =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>('[data-detail]')].map((row) => [
      row.dataset.detail,
      [...row.querySelectorAll('dd > span')].map(({ textContent }) => textContent),
    ]),
  );

describe('the status chip', () => {
  it('shows EXACT and the age, and after a press what that is made of', async () => {
    await send(exact);
    expect(text()).toBe('● EXACT· age 0.06 s');
    await click(chip());
    const { age, ...others } = details();
    expect(age?.[0]).toBe('age 0.06 s');
    expect(others).toEqual({
      state: ['EXACT', expect.stringMatching(/\.$/)],
      link: ['62 ms', expect.any(String)],
      block: ['985,148,232', expect.stringContaining('2026-05-05')],
      seq: ['88,102', expect.any(String)],
      epoch: ['3f2a', expect.stringContaining('3f2a0000-0000-4000-8000-000000000000')],
      gaps: ['0 gaps', expect.any(String)],
      checksum: ['not proved', expect.any(String)],
      comparison: ['not verified', 'Not yet compared with a fresh snapshot.'],
    });
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

  it('shows an unproven state without green, and with its own sign', async () => {
    await send(exact);
    expect(chip().firstElementChild?.className).toContain('text-exact');
    await send({ ...exact, state: { ...exact.state, kind: 'stale', reason: 'disconnected' } });
    expect(chip().firstElementChild?.className).toContain('text-stale');
    expect(text()).toMatch(/^▲ STALE/);
  });

  it('keeps counting the age while nothing arrives, and explains how it is measured', async () => {
    await send({ ...exact, times: { ...exact.times, offset: { ms: 500, withinMs: 2 } } });
    await act(async () => {
      vi.advanceTimersByTime(2_500);
    });
    expect(text()).toBe('● EXACT· age 3.0 s');
    expect(only(container, '[data-part=age]').title).toContain('0.50 s behind the service’s (± 2 ms');
  });

  it('shows the block and time of a recording, and that the live book is not followed', async () => {
    const range = { from: { height: 1, time: 0 }, to: { height: 9, time: 9 }, gaps: [], isCut: false };
    const recorded = { name: 'btc.l4rec', coin: 'BTC', source: 'a test', ...range };
    const blockTime = Date.UTC(2025, 0, 2, 3, 4, 5, 678);
    const frozen = { ...must(exact.position), height: 7, blockTime, at: NOW, asked: undefined };
    await send({ ...exact, position: undefined, recorded, frozen });
    expect(text()).toBe('▣ RECORDED');
    await click(chip());
    expect(details()).toEqual({
      state: ['RECORDED', expect.any(String)],
      recording: ['btc.l4rec', expect.stringContaining('live book is not followed')],
      block: ['7', '2025-01-02 03:04:05.678 UTC'],
    });
    expect(line().dataset).toMatchObject({ state: 'recorded', height: '7' });
    expect(chip().firstElementChild?.className).toContain('text-stale');
    expect(verifyButton().disabled).toBe(true);
  });

  it('says in its details that each block is proved while that holds and the book is live', async () => {
    const { height } = must(exact.position, 'position');
    await send({ ...exact, provedHeight: height });
    await click(chip());
    const proved = () => details().checksum?.[0];
    expect(proved()).toBe('proved at every block');
    await send({ ...exact, provedHeight: height - 1 });
    expect(proved()).toBe('not proved');
    await send({ ...exact, provedHeight: height, state: { ...exact.state, kind: 'rebuilding' } });
    expect(proved()).toBe('not proved');
  });

  it('keeps a gap visible after recovery, and counts it forever', async () => {
    await send({ ...exact, gaps: 1, lastGap: { at: NOW - 4_000, detail: 'prev_seq 14, had 12' } });
    expect(text()).toContain('1 gap, last 4 s ago');
    await act(async () => {
      vi.advanceTimersByTime(60_000);
    });
    expect(text()).not.toContain('gap');
    await click(chip());
    expect(details().gaps).toEqual(['1 gap', 'prev_seq 14, had 12']);
  });
});

describe('verify now', () => {
  it('requests a comparison and shows its result', async () => {
    await send(exact);
    await click(verifyButton());
    expect(posted.at(-1)).toEqual({ kind: 'verify' });
    await send({ ...exact, verification: { kind: 'running', since: NOW } });
    expect(verifyButton().getAttribute('aria-busy')).toBe('true');
    expect(text()).toContain('· verifying');
    await send({
      ...exact,
      verification: { kind: 'equal', at: NOW - 14_000, height: 985_148_232, orders: 51_336, tookMs: 412 },
    });
    await click(chip());
    expect(details().comparison).toEqual([
      'verified 14 s ago · 51,336 orders',
      '51,336 orders match at block 985,148,232, in 412 ms.',
    ]);
    expect(text(), 'an equal book is news for ten seconds').not.toContain('verified');
    await send({ ...exact, verification: { kind: 'different', at: NOW - 14_000, detail: 'ask 12 differs' } });
    expect(text()).toContain('· differed 14 s ago');
    expect(details().comparison?.[1]).toContain('ask 12 differs');
  });

  it('is disabled for a book that is not live', async () => {
    await send({ ...exact, state: { ...exact.state, kind: 'rebuilding' } });
    expect(verifyButton().disabled).toBe(true);
  });
});
