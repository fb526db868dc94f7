import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@l4desk/feed';
import { coinDex, coinMarket, fits, type z } from '@l4desk/protocol';
import { type Meta, type MetaAsset, meta, perpDexs } from '@l4desk/protocol/upstream';
import type { Logger } from '../log/log.ts';
import type { AskOptions, InfoClient, UpstreamRequest } from './info-client.ts';
import type { UpstreamResponse } from './response.ts';
import { UpstreamError } from './upstream-error.ts';

/** What the service can say about a coin name (SNAP-14, SNAP-15). `not-loaded`: the list that would hold it was never read. */
export type CoinClass = 'served' | 'unknown' | 'unsupported' | 'not-loaded';

/** The perp coins that upstream trades: its `meta` and the `meta` of each builder dex, refreshed every minute (SNAP-16). */
export interface CoinUniverse {
  /** Whether every list was read once; builder dexes that cannot be read are not waited for without end. */
  readonly isLoaded: boolean;
  /**
   * Spot and outcome names are `unsupported` by their spelling alone; matching is exact, letter case counts. A delisted
   * coin has no book any more and is as unknown as one that never was.
   */
  classify(coin: string): CoinClass;
}

/** How the reading of the lists is going, for `/readyz`. */
export interface UniverseHealth {
  /** Why the lists cannot be used, without host names; null once all are loaded, while the canonical one is recent enough. */
  readonly problem: string | null;
  readonly coins: number;
}

export interface UniverseOptions {
  readonly info: InfoClient;
  readonly log: Logger;
  readonly refreshMs: number;
  /** A number from 0 to 1, to spread retries. */
  readonly random?: () => number;
  /** Any clock that only rises, in ms. */
  readonly now?: () => number;
}

/** The first retry after a failure, doubled each time and never longer than the refresh itself. */
const RETRY_MS_MIN = 500;

/** A list whose last good reading is this many refreshes old cannot be trusted any more. */
const STALE_REFRESHES = 3;

/** After this many attempts, builder dexes that still fail delay only queries for their own coins. */
const PATIENT_READINGS = 3;

/** Names loaded this recently are not loaded again for an unknown dex: queries for unknown ones are free. */
const DEX_NAMES_FRESH_MS = 10_000;

const NOT_READ = 'meta: not loaded yet';
const BUILDERS_NOT_READ = 'meta of builder dexes: not loaded yet';

type Assets = ReadonlyMap<string, MetaAsset>;

/** Reads the lists at once and from then on every `refreshMs`, until disposed; a list that fails keeps its last good state. */
export class Universe implements CoinUniverse, AsyncDisposable {
  readonly #options: UniverseOptions;
  readonly #end = new AbortController();
  readonly #loop: Promise<void>;
  /** By dex, the canonical one under the empty name, in the exchange's order. Undefined where a list was never read. */
  #dexs = new Map<string, Assets | undefined>([['', undefined]]);
  #dexsLoaded = false;
  #dexsReadAt = Number.NEGATIVE_INFINITY;
  /** What went wrong in the last reading, with any list or with the canonical one. */
  #problem: string | null = NOT_READ;
  #canonicalProblem: string | null = NOT_READ;
  #canonicalReadAt = Number.NEGATIVE_INFINITY;
  #readings = 0;
  /** Says `read` when a list was. */
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

  /** Whether the coin is listed and not traded any more: its funding is there still, its book is not (D51). */
  isDelisted(coin: string): boolean {
    return this.#dexs.get(coinDex(coin))?.get(coin)?.isDelisted === true;
  }

  /**
   * Whether the exchange has a builder dex of this name; one that is not known is looked for once more, on behalf of the
   * account that the options name (INFO-33). Rejects as `InfoClient.ask` does.
   */
  async hasDex(name: string, options: AskOptions): Promise<boolean> {
    if (!this.#dexs.has(name) && this.#now() - this.#dexsReadAt >= DEX_NAMES_FRESH_MS)
      this.#takeDexNames(dexNamesOf(await this.#options.info.ask(DEX_NAMES_REQUEST, options)));
    return this.#dexs.has(name);
  }

  /** The same, but a list that was never read is waited for until the signal aborts. */
  async classifyWhenLoaded(coin: string, signal: AbortSignal): Promise<CoinClass> {
    let found = this.classify(coin);
    while (found === 'not-loaded' && !signal.aborted) {
      await once(this.#lists, 'read', { signal }).catch(() => {});
      found = this.classify(coin);
    }
    return found;
  }

  /** The coins that trade, the canonical dex first, each dex in its own order. */
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

  /** Ends with the service only; between readings it waits, after a failure longer and longer, so it cannot spin. */
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

  /** Keeps room for as many readings as there are in a minute, so that no flood of queries makes the lists stale (UP-25). */
  #reserve(): void {
    const { info, refreshMs } = this.#options;
    const requests = [DEX_NAMES_REQUEST, ...[...this.#dexs.keys()].map(metaRequest)];
    info.reserve(requests, Math.max(1, 60_000 / refreshMs));
  }

  /** Reads every list once. Builder dexes are read side by side: one that fails keeps what it had. */
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

  /** The names of the builder dexes, or what went wrong. */
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

  /** Reads the list of one dex; returns the problem, if any. */
  async #readDex(dex: string): Promise<string | null> {
    return this.#attempt(metaRequest(dex), (response) => {
      const assets = assetsByName(decoded(meta, response), dex);
      // A dex that left the exchange while we asked stays away.
      if (this.#dexs.has(dex)) this.#dexs.set(dex, assets);
      this.#lists.emit('read');
      return null;
    });
  }

  /** Asks, and takes the response; returns what `take` does, or what went wrong. */
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

/** The names of the builder dexes; the canonical one has none. Throws UpstreamError. */
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

/** A builder dex may only name coins of its own. */
function assetsByName(response: Meta, dex: string): Assets {
  return new Map(response.universe.filter((asset) => coinDex(asset.name) === dex).map((asset) => [asset.name, asset]));
}
