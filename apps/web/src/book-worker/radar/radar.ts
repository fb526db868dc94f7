import type { Address } from '@l4desk/protocol';
import { createStore, useStore } from 'zustand';
import { requiredContext } from '../../hooks/required-context.ts';
import { notePaid } from '../../state/burn.ts';
import type { FoundOrder } from '../messages.ts';
import { Requests } from '../requests.ts';
import type { FromRadar, RadarTile, ToRadar } from './messages.ts';

interface RadarPort {
  postMessage(message: ToRadar): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<FromRadar>) => void): void;
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void;
  terminate(): void;
}

export function startRadarWorker(): RadarPort {
  return new Worker(new URL('./main.ts', import.meta.url), { type: 'module', name: 'l4-radar' });
}

interface RadarView {
  /** The followed coins; empty while the radar is off. */
  readonly coins: readonly string[];
  readonly tiles: ReadonlyMap<string, RadarTile>;
  /** Why the worker is gone; undefined while it works. */
  readonly failure: string | undefined;
}

const OFF: RadarView = { coins: [], tiles: new Map(), failure: undefined };

/** The page's side of the radar. It follows nothing and costs nothing until started. */
export class Radar {
  readonly #start: () => RadarPort;
  readonly view = createStore<RadarView>(() => OFF);
  #worker: RadarPort | undefined;
  #wallets: readonly Address[] = [];
  readonly #finds = new Requests();

  constructor(start: () => RadarPort) {
    this.#start = start;
  }

  follow(coins: readonly string[]): void {
    if (coins.length === 0) return this.stop();
    if (this.#worker === undefined) this.#open();
    this.#worker?.postMessage({ kind: 'follow', coins });
    const tiles = new Map([...this.view.getState().tiles].filter(([coin]) => coins.includes(coin)));
    this.view.setState({ coins, tiles, failure: undefined });
  }

  watch(wallets: readonly Address[]): void {
    this.#wallets = wallets;
    this.#worker?.postMessage({ kind: 'wallets', wallets });
  }

  look(isVisible: boolean): void {
    this.#worker?.postMessage({ kind: 'look', isVisible });
  }

  /** Resolves to the order with this oid or cloid in the first book that has it; null if none has, or the radar is off. */
  find(order: number | string): Promise<FoundOrder | null> {
    const worker = this.#worker;
    if (worker === undefined || this.view.getState().failure !== undefined) return Promise.resolve(null);
    return this.#finds.send<FoundOrder | null>((serial) => worker.postMessage({ kind: 'find', serial, order }), null);
  }

  /** Ends the worker, and with it the connection and its cost. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#finds.settleAll();
    this.view.setState(OFF);
  }

  #open(): void {
    const worker = this.#start();
    worker.addEventListener('message', ({ data }) => this.#receive(worker, data));
    worker.addEventListener('error', ({ message }) => {
      if (worker !== this.#worker) return;
      this.#finds.settleAll();
      this.view.setState({ failure: message || 'the worker could not be started' });
    });
    this.#worker = worker;
    worker.postMessage({ kind: 'wallets', wallets: this.#wallets });
    worker.postMessage({ kind: 'look', isVisible: !document.hidden });
  }

  #receive(from: RadarPort, message: FromRadar): void {
    if (from !== this.#worker) return;
    if (message.kind === 'paid') return notePaid(message.credits);
    if (message.kind === 'found') return this.#finds.settle(message.serial, message.order);
    this.view.setState({ tiles: new Map(message.tiles.map((tile) => [tile.coin, tile])) });
  }
}

export const [RadarProvider, useRadar] = requiredContext<Radar>('The radar');

export function useRadarView(): RadarView {
  return useStore(useRadar().view);
}
