import type { BookStatus, CoinView, Follower } from '@l4desk/client';
import { AHEAD_FOR_MS, judgeSource, LOOK_AFTER_MS, type SourceState } from '../source.ts';

export interface WatchDeps {
  /** The response of `/readyz` as parsed JSON; rejects when there is none. */
  readonly readiness: () => Promise<unknown>;
  readonly now: () => number;
  readonly later: (callback: () => void, afterMs: number) => void;
}

/**
 * Asks the service about a coin without new blocks: whether its source is alive, and whether the page has missed something that
 * only the next block would reveal.
 */
export class SourceWatch {
  readonly #deps: WatchDeps;
  readonly #onChange: () => void;
  #state: SourceState | undefined;
  #asking = false;
  #askedAt = 0;

  constructor(deps: WatchDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
  }

  get state(): SourceState | undefined {
    return this.#state;
  }

  forget(): void {
    this.#state = undefined;
    this.#askedAt = 0;
  }

  /**
   * Handles the service's report on its own book. A book that is live again may be another one, so the service is asked before
   * the report counts.
   */
  onStatus(follower: Follower, { coin, state, reason }: BookStatus): void {
    const view = liveView(follower, coin);
    if (view === undefined) return;
    if (state !== 'live') {
      const why = reason === null ? '' : `: ${reason}`;
      this.#state = {
        kind: 'stale',
        reason: `the service’s ${coin} book is ${state}${why}`,
        since: this.#knownAt(view),
      };
      this.#onChange();
    } else if (this.#state?.kind === 'stale' && !this.#asking) {
      this.#asking = true;
      this.#askedAt = this.#deps.now();
      void this.#ask(follower, view);
    }
  }

  look(follower: Follower, coin: string): void {
    const now = this.#deps.now();
    const view = liveView(follower, coin);
    if (this.#asking || view === undefined) return;
    if (isRecent(now, this.#askedAt) || isRecent(now, changedAt(view))) return;
    this.#asking = true;
    this.#askedAt = now;
    void this.#ask(follower, view);
  }

  async #ask(follower: Follower, asked: LiveView): Promise<void> {
    const response = await this.#deps.readiness().catch(() => undefined);
    this.#asking = false;
    const { coin, epoch, seq } = asked;
    if (!isSame(follower, asked)) return;
    const verdict = judgeSource(response, coin, { epoch, seq });
    switch (verdict.kind) {
      case 'live':
        this.#state = { kind: 'live', at: this.#deps.now() };
        break;
      case 'stale':
        this.#state = { ...verdict, since: this.#knownAt(asked) };
        break;
      case 'ahead':
        this.#deps.later(() => {
          if (isSame(follower, asked)) follower.missed(coin, verdict.reason, verdict.detail);
        }, AHEAD_FOR_MS);
        return;
    }
    this.#onChange();
  }

  #knownAt(view: LiveView): number {
    if (this.#state === undefined) return changedAt(view);
    return this.#state.kind === 'live' ? this.#state.at : this.#state.since;
  }
}

/** False for a time in the future: a clock that was set back must not stop the watch. */
function isRecent(now: number, at: number): boolean {
  return at <= now && now - at < LOOK_AFTER_MS;
}

type LiveView = CoinView & { readonly epoch: string; readonly seq: number };

function liveView(follower: Follower, coin: string): LiveView | undefined {
  const view = follower.coin(coin);
  if (follower.connection.kind !== 'open' || view?.state.kind !== 'live') return undefined;
  const { epoch, seq } = view;
  return epoch === undefined || seq === undefined ? undefined : { ...view, epoch, seq };
}

/** Nothing has happened to the coin since the request. */
function isSame(follower: Follower, asked: LiveView): boolean {
  const now = liveView(follower, asked.coin);
  return now?.epoch === asked.epoch && now.seq === asked.seq && now.state === asked.state;
}

function changedAt({ lastBlockAt = 0, state }: CoinView): number {
  return Math.max(lastBlockAt, state.since);
}
