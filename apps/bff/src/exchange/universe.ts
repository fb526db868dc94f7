import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { coinDex, coinMarket, fits, type z } from '@l4desk/protocol';
import { type Meta, type MetaAsset, meta, perpDexs } from '@l4desk/protocol/upstream';
import { backoffMs } from '@l4desk/runtime';
import type { Logger } from '../log/log.ts';
import type { AskOptions, InfoClient, UpstreamRequest } from './info-client.ts';
import type { UpstreamResponse } from './response.ts';
import { UpstreamError } from './upstream-error.ts';

/** Classification of a coin name (SNAP-14, SNAP-15). `not-loaded`: the list that would contain it has never been loaded. */
export type CoinClass = 'served' | 'unknown' | 'unsupported' | 'not-loaded';

/** The perp coins that upstream trades, from its `meta` and the `meta` of each builder dex, refreshed every minute (SNAP-16). */
export interface CoinUniverse {
  /** Whether every list has been loaded once. Builder dexes that cannot be loaded are waited for only a few attempts. */
  readonly isLoaded: boolean;
  /**
   * Spot and outcome names are recognized by their format alone and are `unsupported`. Matching is exact and
   * case-sensitive. A delisted coin no longer has a book and is `unknown`, like one that never existed.
   */
  classify(coin: string): CoinClass;
}

/** State of the coin lists, for `/readyz`. */
export interface UniverseHealth {
  /** Why the lists cannot be used, without host names; null if all are loaded and the canonical one is recent enough. */
  readonly problem: string | null;
  readonly coins: number;
}

export interface UniverseOptions {
  readonly info: InfoClient;
  readonly log: Logger;
  readonly refreshMs: number;
  /** Returns a number from 0 to 1, to spread retries. */
  readonly random?: () => number;
  /** Any monotonic clock, in ms. */
  readonly now?: () => number;
}

/** Delay of the first retry after a failure. It doubles each time, up to the refresh interval. */
const RETRY_MS_MIN = 500;

/** The canonical list is stale once its last successful load is this many refresh intervals old. */
const STALE_REFRESHES = 3;

/** After this many attempts, builder dexes that still fail only delay queries for their own coins. */
const PATIENT_READINGS = 3;

/** Dex names loaded this recently are not reloaded for an unknown dex, because queries for unknown dexes are free. */
const DEX_NAMES_FRESH_MS = 10_000;

const NOT_READ = 'meta: not loaded yet';
const BUILDERS_NOT_READ = 'meta of builder dexes: not loaded yet';

type Assets = ReadonlyMap<string, MetaAsset>;

/** Loads the lists at once and then every `refreshMs` until disposed. A list that fails to load keeps its last good state. */
export class Universe implements CoinUniverse, AsyncDisposable {
  readonly #options: UniverseOptions;
  readonly #end = new AbortController();
  readonly #loop: Promise<void>;
  /** Lists by dex name in the exchange's order; the canonical dex has the empty name. Undefined if never loaded. */
  #dexs = new Map<string, Assets | undefined>([['', undefined]]);
  #dexsLoaded = false;
  #dexsReadAt = Number.NEGATIVE_INFINITY;
  /** Problems of the last load: with any list, and with the canonical one. */
  #problem: string | null = NOT_READ;
  #canonicalProblem: string | null = NOT_READ;
  #canonicalReadAt = Number.NEGATIVE_INFINITY;
  #readings = 0;
  /** Emits `read` when a list was loaded. */
  readonly #lists = new EventEmitter().setMaxListeners(0);

  constructor(options: UniverseOptions) {
    this.#options = options;
    this.#reserve();
    this.#loop = this.#run();
  }

  get isLoaded(): boolean {
    if (this.#dexs.get('') === undefined) return false;
    if (this.#readings >= PATIENT_READINGS) return true;
    return this.#dexsLoaded && [...this.#dexs.values()].every((assets) => assets !== undefined);
  }

  classify(coin: string): CoinClass {
    if (coinMarket(coin) !== 'perp') return 'unsupported';
    const dex = coinDex(coin);
    if (!this.#dexs.has(dex)) return this.#dexsLoaded ? 'unknown' : 'not-loaded';
    const assets = this.#dexs.get(dex);
    if (assets === undefined) return 'not-loaded';
    return isTraded(assets.get(coin)) ? 'served' : 'unknown';
  }

  /** Whether the coin is listed but no longer traded: it still has funding, but no book (D51). */
  isDelisted(coin: string): boolean {
    return this.#dexs.get(coinDex(coin))?.get(coin)?.isDelisted === true;
  }

  /**
   * Whether the exchange has a builder dex of this name. For an unknown name the dex names are loaded once more, on
   * behalf of the account in the options (INFO-33). Rejects like `InfoClient.ask`.
   */
  async hasDex(name: string, options: AskOptions): Promise<boolean> {
    if (!this.#dexs.has(name) && this.#now() - this.#dexsReadAt >= DEX_NAMES_FRESH_MS)
      this.#takeDexNames(dexNamesOf(await this.#options.info.ask(DEX_NAMES_REQUEST, options)));
    return this.#dexs.has(name);
  }

  /** Like `classify`, but waits for a list that was never loaded until the signal aborts. */
  async classifyWhenLoaded(coin: string, signal: AbortSignal): Promise<CoinClass> {
    let found = this.classify(coin);
    while (found === 'not-loaded' && !signal.aborted) {
      await once(this.#lists, 'read', { signal }).catch(() => {});
      found = this.classify(coin);
    }
    return found;
  }

  /** The traded coins: the canonical dex first, each dex in its own order. */
  coins(): readonly MetaAsset[] {
    return [...this.#dexs.values()].flatMap((assets) => [...(assets?.values() ?? [])]).filter(isTraded);
  }

  health(): UniverseHealth {
    const isRecent = this.#now() - this.#canonicalReadAt <= STALE_REFRESHES * this.#options.refreshMs;
    const coins = this.coins().length;
    if (!isRecent) return { problem: this.#canonicalProblem, coins };
    return { problem: this.isLoaded ? null : BUILDERS_NOT_READ, coins };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#loop;
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  /** Runs until the service ends. It waits between loads, longer after each failure, so it cannot spin. */
  async #run(): Promise<void> {
    const { refreshMs, random = Math.random, log } = this.#options;
    let failures = 0;
    while (!this.#end.signal.aborted) {
      const before = this.#problem;
      await this.#read();
      if (this.#end.signal.aborted) return;
      failures = this.#problem === null ? 0 : failures + 1;
      if (this.#problem !== before) {
        if (this.#problem !== null) log.warn({ problem: this.#problem }, 'loading the list of coins failed');
        else log.info({ coins: this.coins().length, dexs: this.#dexs.size }, 'list of coins loaded');
      }
      const backoff = { firstMs: RETRY_MS_MIN, longestMs: refreshMs };
      const wait = failures === 0 ? refreshMs : backoffMs(failures, backoff, random);
      await sleep(wait, undefined, { signal: this.#end.signal }).catch(() => {});
    }
  }

  /** Reserves weight for all loads of a minute, so that a flood of queries cannot make the lists stale (UP-25). */
  #reserve(): void {
    const { info, refreshMs } = this.#options;
    const requests = [DEX_NAMES_REQUEST, ...[...this.#dexs.keys()].map(metaRequest)];
    info.reserve(requests, Math.max(1, 60_000 / refreshMs));
  }

  /** Loads every list once. Builder dexes are loaded concurrently; one that fails keeps its last good state. */
  async #read(): Promise<void> {
    const [canonical, builders] = await Promise.all([this.#readCanonicalDex(), this.#readBuilderDexs()]);
    this.#problem = canonical ?? builders;
    this.#readings += 1;
  }

  async #readCanonicalDex(): Promise<string | null> {
    this.#canonicalProblem = await this.#readDex('');
    if (this.#canonicalProblem === null) this.#canonicalReadAt = this.#now();
    return this.#canonicalProblem;
  }

  async #readBuilderDexs(): Promise<string | null> {
    const names = await this.#readDexNames();
    if (typeof names === 'string') return names;
    const problems = await Promise.all(names.map((name) => this.#readDex(name)));
    return problems.find((problem) => problem !== null) ?? null;
  }

  /** Resolves with the names of the builder dexes, or with the problem. */
  async #readDexNames(): Promise<readonly string[] | string> {
    return this.#attempt(DEX_NAMES_REQUEST, (response) => {
      const names = dexNamesOf(response);
      this.#takeDexNames(names);
      return names;
    });
  }

  #takeDexNames(names: readonly string[]): void {
    this.#dexs = new Map(['', ...names].map((name) => [name, this.#dexs.get(name)]));
    this.#dexsLoaded = true;
    this.#dexsReadAt = this.#now();
    this.#reserve();
    this.#lists.emit('read');
  }

  /** Loads the list of one dex. Resolves with the problem, or null. */
  async #readDex(dex: string): Promise<string | null> {
    return this.#attempt(metaRequest(dex), (response) => {
      const assets = assetsByName(decoded(meta, response), dex);
      // A dex that was removed from the exchange during the request is not added back.
      if (this.#dexs.has(dex)) this.#dexs.set(dex, assets);
      this.#lists.emit('read');
      return null;
    });
  }

  /** Makes a request and passes the response to `take`. Resolves with what `take` returns, or with the problem. */
  async #attempt<T>(request: UpstreamRequest, take: (response: UpstreamResponse) => T): Promise<T | string> {
    try {
      return take(await this.#options.info.ask(request, { signal: this.#end.signal }));
    } catch (error) {
      if (error instanceof UpstreamError) return `${request.type}: ${error.message}`;
      if (this.#end.signal.aborted) return 'the service ends';
      throw error;
    }
  }
}

const DEX_NAMES_REQUEST = { type: 'perpDexs' } as const satisfies UpstreamRequest;

/** The names of the builder dexes, without the canonical one, which has none. Throws UpstreamError. */
function dexNamesOf(response: UpstreamResponse): readonly string[] {
  return decoded(perpDexs, response).flatMap((dex) => (dex === null ? [] : [dex.name]));
}

function decoded<T>(schema: z.ZodType<T>, response: UpstreamResponse): T {
  const value = response.json();
  if (!fits(schema, value)) throw new UpstreamError({ kind: 'unusable', problem: 'a response of an unexpected shape' });
  return value;
}

function metaRequest(dex: string): UpstreamRequest {
  return dex === '' ? { type: 'meta' } : { type: 'meta', dex };
}

function isTraded(asset: MetaAsset | undefined): boolean {
  return asset !== undefined && asset.isDelisted !== true;
}

/** Assets by name. Coins that belong to another dex are dropped. */
function assetsByName(response: Meta, dex: string): Assets {
  return new Map(response.universe.filter((asset) => coinDex(asset.name) === dex).map((asset) => [asset.name, asset]));
}
