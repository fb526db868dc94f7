import { createServer, type Server, type ServerResponse } from 'node:http';
import type { DataSource } from '@l4desk/protocol';
import { CaptureSource } from './capture/capture-source.ts';
import { ControlApi } from './control/control-api.ts';
import type { BookResponse, StateResponse, VenueControls } from './control/controls.ts';
import type { Fault } from './faults/fault.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { InfoFaults } from './faults/info-faults.ts';
import { ExchangeChannels } from './feed/exchange-channels.ts';
import { L4BookFeed } from './feed/l4book-feed.ts';
import { Pacer } from './feed/pacer.ts';
import type { BlockSource, BookSize } from './feed/source.ts';
import { closeServer, listen, listenOrFallBack, pathOf, sendResponse, textResponse, urlHost } from './http.ts';
import { CaptureExchange } from './info/capture-exchange.ts';
import { InfoApi } from './info/info-api.ts';
import { SimulatedExchange } from './info/simulated-exchange.ts';
import type { WalletEntry } from './info/wallet-list.ts';
import { WeightLimit } from './info/weight-limit.ts';
import { extraListings } from './market/catalogue.ts';
import type { MarketLevels } from './market/coin-market.ts';
import { listingsOf } from './market/simulated-market.ts';
import { SimulatedSource } from './market/simulated-source.ts';
import { fileSnapshot } from './node-files/file-snapshot.ts';
import { NodeWriter } from './node-files/node-writer.ts';
import { readSettings, type VenueSettings } from './settings.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Only clients close connections: a server that closes an idle connection resets a request that is just
 * arriving on it, which happens under load.
 */
const CONNECTIONS = { keepAliveTimeout: 0 } as const;

/** The addresses of a venue; also sent to its parent process. */
export interface VenueUrls {
  /** The info API: `POST` here. */
  readonly infoUrl: string;
  /** The `l4Book` stream. */
  readonly l4Url: string;
  /** The exchange's own stream. */
  readonly channelsUrl: string;
  /** Base of the control API. */
  readonly controlUrl: string;
}

/** A running simulated exchange. Dispose of it to close its sockets. */
export interface Venue extends VenueControls, VenueUrls, AsyncDisposable {
  /** Whether it simulates a market, or which recording it replays. */
  readonly source: DataSource;
}

/** Defaults of an in-process venue: those of the environment settings, but with free ports. */
const IN_PROCESS: VenueSettings = { ...readSettings({}), port: 0, controlPort: 0 };

/**
 * Starts a venue. Resolves once it listens. Omitted settings have their defaults; ports default to free ones. Rejects
 * with CaptureError if the capture cannot be replayed, and with the system's error if a port is taken.
 */
export async function startVenue(given: Partial<VenueSettings> = {}): Promise<Venue> {
  const settings: VenueSettings = { ...IN_PROCESS, ...given };
  const source = await openSource(settings);
  const venue = new RunningVenue(settings, source);
  await venue.listen();
  return venue;
}

async function openSource(settings: VenueSettings): Promise<CaptureSource | SimulatedSource> {
  const { capture, recording, loop } = settings;
  const recorded =
    recording !== null
      ? await CaptureSource.openRecording(recording)
      : capture !== null
        ? await CaptureSource.open(capture)
        : null;
  if (recorded !== null) {
    recorded.loops = loop;
    return recorded;
  }
  const { seed, rate, statusRate, size, startTime } = settings;
  const market = {
    seed,
    rate,
    statusRate,
    size,
    coins: [...listingsOf(settings.coins), ...extraListings(settings.extraCoins)],
    startTime: startTime ?? Date.now(),
  };
  return new SimulatedSource(market, startTime === null ? () => Date.now() : null);
}

class RunningVenue implements Venue {
  readonly source: DataSource;
  readonly #settings: VenueSettings;
  readonly #source: BlockSource;
  readonly #levels: MarketLevels | null;
  readonly #recorded: CaptureSource | null;
  readonly #faults: FaultPlan;
  readonly #infoFaults = new InfoFaults();
  readonly #exchange: SimulatedExchange | CaptureExchange;
  readonly #info: InfoApi;
  readonly #feed: L4BookFeed;
  readonly #channels: ExchangeChannels;
  readonly #nodeWriter: NodeWriter | null;
  readonly #pacer: Pacer;
  readonly #public: Server;
  readonly #control: Server;
  #publicPort = 0;
  #controlPort = 0;

  constructor(settings: VenueSettings, source: CaptureSource | SimulatedSource) {
    this.#settings = settings;
    this.#source = source;
    this.source = source.kind === 'capture' ? { kind: 'recorded', ...source.recorded } : { kind: 'simulated' };
    this.#recorded = source.kind === 'capture' ? source : null;
    this.#levels = source.kind === 'simulation' ? source.levels : null;
    this.#faults = new FaultPlan((run, ms) => {
      const timer = setTimeout(run, ms);
      return { cancel: () => clearTimeout(timer) };
    });
    this.#feed = new L4BookFeed(source, settings, this.#faults);
    const coins = source.coins.map(({ name }) => name);
    const { nodeDir, nodeFiles } = settings;
    this.#nodeWriter = nodeDir === null ? null : new NodeWriter(nodeDir, nodeFiles, coins);
    const exchange = source.kind === 'simulation' ? new SimulatedExchange(source.market) : new CaptureExchange(source);
    this.#exchange = exchange;
    this.#channels = new ExchangeChannels(exchange, this.#faults);
    this.#pacer = new Pacer(source, this.#feed, (block) => {
      this.#nodeWriter?.write(block);
      this.#feed.publish(block);
      this.#channels.publish(block);
    });
    // As when an order-level server restarts: clients reconnect and get the current book.
    if (this.#recorded !== null) this.#recorded.onJump = () => this.#feed.cut();
    const limit = new WeightLimit(settings.infoWeightPerMinute, () => performance.now());
    const info = new InfoApi({
      exchange,
      faults: this.#infoFaults,
      limit,
      fileSnapshot: this.#nodeWriter === null ? null : (query) => fileSnapshot(query, source),
    });
    this.#info = info;
    this.#public = createServer(CONNECTIONS, (request, response) => {
      if (pathOf(request) === '/info') respond(response, info.handle(request, response));
      else sendResponse(response, textResponse(404, 'not found'));
    });
    this.#public.on('upgrade', (request, socket, head) => {
      const path = pathOf(request);
      if (path === '/ws') this.#feed.upgrade(request, socket, head);
      else if (path === '/exchange/ws') this.#channels.upgrade(request, socket, head);
      else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    const control = new ControlApi(this);
    this.#control = createServer(CONNECTIONS, (request, response) =>
      respond(response, control.handle(request, response)),
    );
  }

  get infoUrl(): string {
    return `http://${this.#address}/info`;
  }

  get l4Url(): string {
    return `ws://${this.#address}/ws`;
  }

  get channelsUrl(): string {
    return `ws://${this.#address}/exchange/ws`;
  }

  get controlUrl(): string {
    return `http://${LOOPBACK}:${this.#controlPort}`;
  }

  async listen(): Promise<void> {
    const { host, port, controlPort, controlFallback, pace } = this.#settings;
    try {
      this.#publicPort = await listen(this.#public, port, host);
      const listenForControl = controlFallback ? listenOrFallBack : listen;
      this.#controlPort = await listenForControl(this.#control, controlPort, LOOPBACK);
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
    this.#pacer.setFactor(pace);
  }

  async step(blocks: number): Promise<number> {
    return this.#pacer.step(blocks);
  }

  setPace(factor: number): void {
    this.#pacer.setFactor(factor);
  }

  setLevels(levels: { readonly [K in keyof MarketLevels]?: number | undefined }): MarketLevels | null {
    if (this.#levels === null) return null;
    this.#levels.rate = levels.rate ?? this.#levels.rate;
    this.#levels.statusRate = levels.statusRate ?? this.#levels.statusRate;
    this.#levels.size = levels.size ?? this.#levels.size;
    return { ...this.#levels };
  }

  seek(height: number): number | null {
    if (this.#recorded === null) return null;
    const shown = this.#recorded.seek(height);
    this.#feed.publish({ height: shown, time: this.#recorded.time, coin: () => null });
    // Reschedules the next block, which is due as long after this one as in the recording.
    this.#pacer.setFactor(this.#pacer.factor);
    return shown;
  }

  setLoop(loop: boolean): boolean {
    if (this.#recorded === null) return false;
    this.#recorded.loops = loop;
    this.#pacer.setFactor(this.#pacer.factor);
    return true;
  }

  applyFault(fault: Fault): void {
    switch (fault.kind) {
      case 'cut':
        this.#feed.cut();
        this.#channels.cut();
        return;
      case 'refuse':
        this.#faults.refuse(fault.ms);
        return;
      case 'restart':
        if (fault.ms > 0) this.#faults.refuse(fault.ms);
        this.#feed.cut();
        this.#channels.cut();
        return;
      case 'silent':
        this.#faults.silence(fault.ms, () => this.#feed.endSilence());
        return;
      case 'info':
        this.#infoFaults.add(fault);
        return;
      case 'node':
        this.#nodeWriter?.apply(fault);
        return;
      case 'clear':
        this.#nodeWriter?.clear();
        this.#faults.clear();
        this.#infoFaults.clear();
        return;
      default:
        this.#faults.add(fault, (packet) => this.#feed.send(packet));
    }
  }

  get writesNodeFiles(): boolean {
    return this.#nodeWriter !== null;
  }

  hasCoin(coin: string): boolean {
    return this.#source.coins.some((listed) => listed.name === coin);
  }

  wallets(): readonly WalletEntry[] {
    return this.#exchange.wallets();
  }

  book(coin: string): BookResponse | null {
    const levels = this.#source.book(coin);
    return levels === null ? null : { coin, height: this.#source.height, time: this.#source.time, levels };
  }

  state(): StateResponse {
    const { kind, height, time, nextDelay, counts } = this.#source;
    const coins: Record<string, BookSize> = {};
    for (const { name } of this.#source.coins) {
      const size = this.#source.size(name);
      if (size !== null) coins[name] = size;
    }
    return {
      source: kind,
      height,
      time,
      pace: this.#pacer.factor,
      ended: nextDelay === null,
      coins,
      clients: this.#feed.clientCount,
      subscriptions: Object.fromEntries(this.#feed.subscriptions),
      faults: [...this.#faults.states, ...this.#infoFaults.states],
      silent: this.#faults.isSilent,
      refusing: this.#faults.refusesConnections,
      counts: { ...counts, ...this.#feed.counts },
      info: this.#info.counts,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pacer.stop();
    this.#nodeWriter?.clear();
    this.#faults.clear();
    this.#infoFaults.clear();
    this.#feed.cut();
    this.#channels.cut();
    await Promise.all([closeServer(this.#public), closeServer(this.#control)]);
  }

  get #address(): string {
    return `${urlHost(this.#settings.host)}:${this.#publicPort}`;
  }
}

/** Handles a failing response: it becomes a 500 and does not end the process. */
function respond(response: ServerResponse, work: Promise<void>): void {
  work.catch((error: unknown) => {
    if (response.headersSent) response.destroy();
    else sendResponse(response, textResponse(500, error instanceof Error ? error.message : String(error)));
  });
}
