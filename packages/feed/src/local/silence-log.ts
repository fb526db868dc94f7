import { isSuspect, type UpstreamBlocks } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';

/** Silences are logged at most this often, in ms: where blocks are few, silences may be many. */
const BETWEEN_MS = 60_000;

interface SilenceLogDeps {
  readonly clock: SystemClock;
  readonly log: Log;
  /** The age of the upstream's last block and what is usual; null while that is unknown. */
  readonly blocks: () => UpstreamBlocks | null;
}

const NOTHING = () => {};

/** Logs that the upstream sends no block of any coin for longer than usual, and when blocks arrive again. */
export class SilenceLog {
  readonly #deps: SilenceLogDeps;
  #blockAt = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  /** Whether the current silence is in the log. */
  #isLogged = false;
  #isWaiting = false;
  #cancel = NOTHING;

  constructor(deps: SilenceLogDeps) {
    this.#deps = deps;
  }

  /** A block of any coin arrived. */
  blockCame(): void {
    const { clock, log } = this.#deps;
    const now = clock.now();
    if (this.#isLogged) log.info({ silentMs: Math.round(now - this.#blockAt) }, 'upstream L4 sends blocks again');
    this.#isLogged = false;
    this.#blockAt = now;
    if (!this.#isWaiting) this.#wait();
  }

  /** The connection was lost, which is logged by itself. */
  interrupted(): void {
    this.#cancel();
    this.#isWaiting = false;
  }

  /** Connected again: the silence may go on. */
  connected(): void {
    if (!this.#isWaiting && !this.#isLogged) this.#wait();
  }

  /** Waits until the upstream may be silent for longer than usual. Blocks that arrive meanwhile start no other wait. */
  #wait(): void {
    const { blocks, clock } = this.#deps;
    const now = blocks();
    if (now === null) return;
    const suspectInMs = now.suspectAfterMs - now.ageMs + 1;
    const waitMs = Math.max(suspectInMs, this.#loggedAt + BETWEEN_MS - clock.now());
    this.#isWaiting = true;
    // After a stall the event loop runs due timers before it reads what arrived meanwhile.
    this.#cancel = clock.after(waitMs, () => clock.afterInput(() => this.#look()));
  }

  #look(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    const { blocks, clock, log } = this.#deps;
    const now = blocks();
    if (now === null) return;
    if (!isSuspect(now)) {
      this.#wait();
      return;
    }
    this.#isLogged = true;
    this.#loggedAt = clock.now();
    log.warn({ ageMs: now.ageMs, usualMs: now.usualMs }, 'upstream L4 sends no blocks');
  }
}
