import { type DataSource, isSuspect, type UpstreamBlocks } from '@l4desk/protocol';
import { secondsText } from '../ui/format.ts';
import type { ClockOffset, FeedTimes } from './feed-times.ts';
import type { LiveStatus } from './messages.ts';

/** A block time further than this from the clock is not current: a replay, or a market that is stepped by hand. */
const NOT_OF_NOW_MS = 600_000;

/** A block time further ahead than this is more than ordinary clock skew between servers. */
const AHEAD_MS = 1_000;

/** A block is late when its delay exceeds the usual delay by more than this. */
const LATE_MS = 1_500;

/** The service reports on its upstream every second; when a report is this late, the state of the upstream is unknown. */
const REPORT_MS = 2_500;

export interface Suspicion {
  readonly kind: 'silent' | 'service' | 'upstream' | 'late';
  /** With the measured values: `no block for 1.2 s, usually 0.07 s`. */
  readonly text: string;
  /** Without values, for text that must not change with every tick. */
  readonly reason: string;
}

/**
 * Returns why the book is suspect: no block of the coin, or of any coin, for longer than usual, or blocks that arrive late.
 * Otherwise undefined.
 */
export function suspicionOf({ times }: Pick<LiveStatus, 'times'>, now: number): Suspicion | undefined {
  const { usual, knownAt, delay } = times;
  const gapMs = knownAt === undefined ? undefined : now - knownAt;
  if (usual !== undefined && gapMs !== undefined && gapMs > usual.suspectAfterMs) {
    return {
      kind: 'silent',
      text: `no block for ${briefText(gapMs)}, usually ${briefText(usual.usualMs)}`,
      reason: 'no block for longer than usual',
    };
  }
  const unheardMs = unheardFor(times, now);
  if (unheardMs > REPORT_MS) {
    return {
      kind: 'service',
      text: `nothing from the service for ${briefText(unheardMs)}`,
      reason: 'nothing comes from the service for longer than usual',
    };
  }
  const blocks = reportedBlocks({ times }, now);
  if (blocks !== undefined && isSuspect(blocks)) {
    return {
      kind: 'upstream',
      text: `upstream without a block for ${briefText(blocks.ageMs)}${usuallyText(blocks)}`,
      reason: 'the upstream brings no block of any coin for longer than usual',
    };
  }
  if (delay !== undefined && Math.abs(delay.ms) < NOT_OF_NOW_MS) {
    const usualMs = Math.max(0, delay.usualMs);
    if (delay.ms > usualMs + LATE_MS) {
      return {
        kind: 'late',
        text: `blocks come ${briefText(delay.ms)} late, usually ${briefText(usualMs)}`,
        reason: 'blocks come later than usual',
      };
    }
  }
  return undefined;
}

/** What is usual, to follow the age of the last block; nothing if that is not known. */
export function usuallyText({ usualMs }: UpstreamBlocks): string {
  return usualMs === 0 ? '' : `, usually ${briefText(usualMs)}`;
}

/** Time since the service's last upstream report, or since a block or a snapshot that arrived after it. */
function unheardFor({ upstream, knownAt = 0, blockAt = 0 }: FeedTimes, now: number): number {
  return upstream === undefined ? 0 : now - Math.max(upstream.heardAt, knownAt, blockAt);
}

/** The age of the upstream's last block, from the service's last report and from blocks that arrived since. */
export function reportedBlocks(status: Pick<LiveStatus, 'times'> | undefined, now: number): UpstreamBlocks | undefined {
  const { upstream, blockAt } = status?.times ?? {};
  if (!upstream?.blocks) return undefined;
  const { ageMs } = upstream.blocks;
  // A block of the followed coin that arrived since is better evidence than the report. A snapshot is not: it may be of an old
  // block.
  return { ...upstream.blocks, ageMs: Math.min(ageMs, blockAt === undefined ? ageMs : Math.max(0, now - blockAt)) };
}

export interface BlockAge {
  /**
   * `wall`: the clock minus the block's own time, but at least the time since it arrived: the exchange's clock may be ahead;
   * `arrival`: only the latter, because the block's own time is not current.
   */
  readonly kind: 'wall' | 'arrival';
  readonly ms: number;
}

export function blockAgeOf(
  { times, position }: Pick<LiveStatus, 'times' | 'position'>,
  source: DataSource['kind'],
  now: number,
): BlockAge | undefined {
  const { knownAt, offset } = times;
  if (position === undefined || knownAt === undefined) return undefined;
  const arrivalMs = Math.max(0, now - knownAt);
  const wallMs = now + (offset?.ms ?? 0) - position.blockTime;
  // The exchange's clock is ahead of this one, or a market is stepped by hand.
  const isAhead = wallMs < -AHEAD_MS;
  const isFar = source !== 'live' && Math.abs(wallMs - arrivalMs) > NOT_OF_NOW_MS;
  if (source === 'recorded' || isFar || isAhead) return { kind: 'arrival', ms: arrivalMs };
  return { kind: 'wall', ms: Math.max(arrivalMs, wallMs) };
}

/** The age of the shown block: a held one is older than the last one. */
export function shownAgeOf(
  status: Pick<LiveStatus, 'times' | 'position' | 'frozen'>,
  source: DataSource['kind'],
  now: number,
): BlockAge | undefined {
  const { frozen, position } = status;
  const age = blockAgeOf(status, source, now);
  const behindMs = frozen === undefined || position === undefined ? 0 : position.blockTime - frozen.blockTime;
  return age && { ...age, ms: age.ms + Math.max(0, behindMs) };
}

export function blockAgeHint(age: BlockAge, times: FeedTimes, source: DataSource['kind']): string {
  const replay = source === 'recorded' ? 'this is a replay' : 'the time of its block is not current';
  const what =
    age.kind === 'wall'
      ? 'Age of the shown book: the clock minus the time of its last block, with every delay of exchange, service and network ' +
        'in it; never less than the time since it arrived.'
      : `Age of the shown book: since its last block arrived, because ${replay}.`;
  return `${what} ${offsetText(times.offset)}`;
}

function offsetText(offset: ClockOffset | undefined): string {
  if (offset === undefined) return 'The clock is this browser’s; it is not compared with the service’s yet.';
  const within = `± ${Math.max(1, Math.ceil(offset.withinMs))} ms, from round trips`;
  const off = Math.round(offset.ms);
  if (Math.abs(off) <= Math.ceil(offset.withinMs)) return `This browser’s clock agrees with the service’s (${within}).`;
  const way = off > 0 ? 'behind' : 'ahead of';
  return `This browser’s clock is ${briefText(Math.abs(off))} ${way} the service’s (${within}), which is corrected for.`;
}

/** A short duration with a sensible number of digits: `0.07 s`, `1.2 s`, `14 s`, `3 m`. */
export function briefText(ms: number): string {
  if (ms < 1_000) return `${(Math.max(0, ms) / 1_000).toFixed(2)} s`;
  return ms < 10_000 ? `${(Math.floor(ms / 100) / 10).toFixed(1)} s` : secondsText(ms);
}
