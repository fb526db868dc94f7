import { createClient, l4BookSnapshot, ServiceError } from '@l4desk/client';
import { type BookLossReason, type DecodedSnapshot, L4_BOOK_UPDATES } from '@l4desk/protocol';
import type { Log } from './api.ts';
import type { Clock } from './clock.ts';
import { followEntry, joinEntries, type ServicePlace } from './service-join.ts';
import { readServiceMessage, type ServiceEntry } from './service-message.ts';
import type { L4Source, SourceEvents, UpstreamSnapshot } from './source.ts';
import { type ConnectionSettings, type Refusal, UpstreamConnection } from './upstream-connection.ts';

export interface ServiceSourceSettings extends Omit<ConnectionSettings, 'compress'> {
  /** Whole URL of the query endpoint. */
  readonly infoUrl: string;
  readonly apiKey: string;
  /** How long an acknowledgement is waited for: the specification leaves open whether there is one (§6). */
  readonly acknowledgeMs: number;
}

/** Where one joined coin stands in the bootstrap of §4.7. */
type CoinState =
  /** The subscription was sent; entries are kept from here on (L4-1). */
  | { readonly kind: 'asked'; readonly buffer: ServiceEntry[]; readonly cancelTimer: () => void }
  /** The snapshot is on its way (L4-2). */
  | { readonly kind: 'fetching'; readonly buffer: ServiceEntry[]; readonly ending: AbortController }
  | { readonly kind: 'following'; readonly place: ServicePlace };

/** Most entries that wait for one coin's snapshot: minutes of blocks. Past it, something is wrong upstream. */
const BUFFERED_ENTRIES_MAX = 4_096;

/**
 * The `l4BookUpdates` dialect of a hosted service (UP-16): one socket with `?key=`, one subscription a coin, snapshots from
 * its query endpoint. It joins the two by `seq` as §4.7 says; a gap or a new epoch makes the coin lost, to be joined again.
 */
export class L4ServiceSource implements L4Source {
  readonly #settings: ServiceSourceSettings;
  readonly #events: SourceEvents;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #connection: UpstreamConnection;
  readonly #fetch: (coin: string, signal: AbortSignal) => Promise<DecodedSnapshot>;
  readonly #coins = new Map<string, CoinState>();
  /** Subscriptions of each coin that were sent on this connection and not acknowledged. */
  readonly #unanswered = new Map<string, number>();
  /** Height of the last batch of this connection. */
  #height = 0;

  constructor(settings: ServiceSourceSettings, events: SourceEvents, clock: Clock, random: () => number, log: Log) {
    this.#settings = settings;
    this.#events = events;
    this.#clock = clock;
    this.#log = log;
    const { infoUrl, apiKey } = settings;
    const client = createClient({
      baseUrl: new URL(infoUrl).origin,
      apiKey,
      // The setting names the whole endpoint, whatever its path.
      fetch: (_, init) => fetch(infoUrl, init),
    });
    this.#fetch = (coin, signal) => l4BookSnapshot(client, { coin }, { signal });
    this.#connection = new UpstreamConnection(
      { ...settings, url: withKey(settings.url, apiKey), compress: true },
      {
        opened: () => events.connected(),
        lost: (problem) => this.#onLost(problem),
        message: (text) => this.#onMessage(text),
        receiving: () => events.receiving(),
        silent: () => events.silent(),
        awaitsMessages: () => this.#coins.size > 0,
        isAtWork: () => false,
        advice,
      },
      clock,
      random,
      log,
    );
  }

  get counters() {
    return this.#connection.counters;
  }

  get connected(): boolean {
    return this.#connection.connected;
  }

  get heardAt(): number | null {
    return this.#connection.heardAt;
  }

  get isSilent(): boolean {
    return this.#connection.isSilent;
  }

  get progressAt(): number | null {
    return this.#connection.partAt;
  }

  start(): void {
    this.#connection.start();
  }

  join(coin: string): void {
    if (!this.#connection.send({ method: 'subscribe', subscription: subscriptionTo(coin) })) return;
    this.#unanswered.set(coin, (this.#unanswered.get(coin) ?? 0) + 1);
    const cancelTimer = this.#clock.after(this.#settings.acknowledgeMs, () => this.#bootstrap(coin));
    this.#coins.set(coin, { kind: 'asked', buffer: [], cancelTimer });
  }

  leave(coin: string): void {
    if (!this.#forget(coin)) return;
    this.#connection.send({ method: 'unsubscribe', subscription: subscriptionTo(coin) });
  }

  hasNotAnswered(coin: string): boolean {
    return this.#coins.get(coin)?.kind === 'asked';
  }

  reconnect(problem: string): void {
    this.#connection.drop(problem);
  }

  async fetchSnapshot(coin: string, signal: AbortSignal): Promise<UpstreamSnapshot> {
    try {
      return await this.#fetch(coin, signal);
    } catch (error) {
      throw new Error(this.#snapshotProblem(coin, error), { cause: error });
    }
  }

  close(): void {
    for (const coin of this.#coins.keys()) this.#forget(coin);
    this.#connection.close();
  }

  /** Ends what is under way for a coin; false when it was not joined. */
  #forget(coin: string): boolean {
    const state = this.#coins.get(coin);
    if (state?.kind === 'asked') state.cancelTimer();
    if (state?.kind === 'fetching') state.ending.abort();
    return this.#coins.delete(coin);
  }

  #onLost(problem: string): void {
    for (const coin of this.#coins.keys()) this.#forget(coin);
    this.#unanswered.clear();
    this.#height = 0;
    this.#events.disconnected(problem);
  }

  #onMessage(text: string): void {
    const message = readServiceMessage(text);
    switch (message.kind) {
      case 'batch':
        this.#onBatch(message.epoch, message.height, message.entries);
        return;
      case 'acknowledged':
        if (message.method === 'subscribe' && typeof message.coin === 'string') this.#onAcknowledged(message.coin);
        return;
      case 'error':
        this.#onError(message.message);
        return;
      case 'other':
        return;
      case 'malformed':
        this.#onMalformed(message.coins, message.problem);
    }
  }

  #onBatch(epoch: string, height: number, entries: readonly ServiceEntry[]): void {
    this.#height = height;
    // The upstream began anew: what it said of coins that have no entry yet is void as well.
    for (const [coin, state] of this.#coins) {
      if (state.kind === 'following' && state.place.epoch !== epoch)
        this.#lose(coin, 'upstream-epoch', `upstream epoch ${state.place.epoch} became ${epoch}`);
    }
    const following = entries.filter((entry) => this.#take(entry)).map(({ block }) => block);
    if (following.length > 0) this.#events.blocks(following);
    this.#events.told(height);
  }

  /** Answers come in the order of the requests: only the last subscription's means that the coin's entries now come. */
  #onAcknowledged(coin: string): void {
    const left = Math.max(0, (this.#unanswered.get(coin) ?? 0) - 1);
    this.#unanswered.set(coin, left);
    if (left === 0) this.#bootstrap(coin);
  }

  /** Whether an entry goes on to the sequencer now; if not it is kept, or not ours. */
  #take(entry: ServiceEntry): boolean {
    const { coin } = entry.block;
    const state = this.#coins.get(coin);
    if (state === undefined) return false;
    if (state.kind !== 'following') {
      state.buffer.push(entry);
      if (state.buffer.length > BUFFERED_ENTRIES_MAX)
        this.#lose(coin, 'overflow', `${state.buffer.length} entries without a snapshot`);
      return false;
    }
    const followed = followEntry(state.place, entry);
    if (followed.kind === 'break') {
      this.#lose(coin, followed.reason, followed.detail);
      return false;
    }
    this.#coins.set(coin, { kind: 'following', place: followed.place });
    return true;
  }

  /** The subscription is effective, or as good as: the snapshot can be asked for. */
  #bootstrap(coin: string): void {
    const state = this.#coins.get(coin);
    if (state?.kind !== 'asked') return;
    state.cancelTimer();
    void this.#joinSnapshot(coin, { kind: 'fetching', buffer: state.buffer, ending: new AbortController() });
  }

  /** Asks for the snapshot and joins it to what came meanwhile, unless the coin was left before it is there. */
  async #joinSnapshot(coin: string, state: Extract<CoinState, { kind: 'fetching' }>): Promise<void> {
    this.#coins.set(coin, state);
    try {
      const snapshot = await this.#fetch(coin, state.ending.signal);
      if (this.#coins.get(coin) === state) this.#onSnapshot(coin, snapshot, state.buffer);
    } catch (error) {
      if (this.#coins.get(coin) === state) this.#lose(coin, 'no-snapshot', this.#snapshotProblem(coin, error));
    }
  }

  #onSnapshot(coin: string, snapshot: DecodedSnapshot, buffered: readonly ServiceEntry[]): void {
    const joined = joinEntries(snapshot, buffered);
    if (joined.kind === 'break') {
      this.#lose(coin, joined.reason, joined.detail);
      return;
    }
    this.#coins.set(coin, { kind: 'following', place: joined.place });
    this.#events.snapshot(coin, snapshot);
    for (const { block } of joined.entries) this.#events.blocks([block]);
    this.#events.told(this.#height);
  }

  #onError(message: string): void {
    // The service repeats the subscription as it was sent (WS-17); anything else concerns no coin of ours.
    const coin = [...this.#unanswered.keys()].find((name) => message.includes(JSON.stringify(subscriptionTo(name))));
    this.#log.warn({ message, coin }, 'upstream L4 refused a request');
    if (coin === undefined || message.startsWith('Already unsubscribed')) return;
    const unanswered = this.#unanswered.get(coin) ?? 0;
    if (unanswered === 0) {
      // The subscription was taken and stands: the hosted service has lost the coin itself (WS-33).
      if (this.#coins.has(coin)) this.#lose(coin, 'refused', message);
      return;
    }
    this.#unanswered.set(coin, unanswered - 1);
    if (this.#coins.get(coin)?.kind !== 'asked') return;
    this.#forget(coin);
    this.#events.lost(coin, 'refused', message);
  }

  #onMalformed(coins: readonly string[], problem: string): void {
    this.#log.warn({ problem, coins }, 'upstream L4 message cannot be read');
    for (const coin of coins) if (this.#coins.has(coin)) this.#lose(coin, 'malformed', problem);
    // What cannot be told apart from anything may have been about everything.
    if (coins.length === 0) this.#connection.drop('unreadable message');
  }

  #lose(coin: string, reason: BookLossReason, detail: string): void {
    this.leave(coin);
    this.#events.lost(coin, reason, detail);
  }

  /** Why there is no snapshot, without host names; a refusal of the key is logged with what to do about it. */
  #snapshotProblem(coin: string, error: unknown): string {
    if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : 'no snapshot';
    const what = advice({ kind: 'status', status: error.status });
    if (what !== null) this.#log.warn({ coin, code: error.code, advice: what }, 'upstream refuses a snapshot');
    return error.message;
  }
}

function subscriptionTo(coin: string) {
  return { type: L4_BOOK_UPDATES, coin };
}

function withKey(url: string, key: string): string {
  const whole = new URL(url);
  whole.searchParams.set('key', key);
  return whole.href;
}

/** What the operator can do about a refused key (AUTH-7, AUTH-9). */
function advice(refusal: Refusal): string | null {
  const code = refusal.kind === 'status' ? refusal.status : refusal.code - 4_000;
  if (code === 401) return 'UPSTREAM_API_KEY is unknown to the hosted service or was revoked: set a good one';
  if (code === 402) return 'the credits of UPSTREAM_API_KEY are used up: raise its plan, or wait for the new month';
  if (code === 403) return 'UPSTREAM_API_KEY must be an API key, not a ServiceKey';
  return null;
}
