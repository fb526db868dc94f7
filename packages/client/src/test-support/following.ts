import type { ServerResponse } from 'node:http';
import { compareWithLevels } from '@l4desk/book';
import type { L4BookSnapshot } from '@l4desk/protocol';
import { Chance, type FakeClock, ScriptedService } from '@l4desk/testkit';
import { WebSocket } from 'ws';
import {
  type Client,
  createClient,
  type FollowEvent,
  type Follower,
  type FollowOptions,
  type FollowSettings,
  follow,
} from '../index.ts';
import { Recorder } from './recorder.ts';

/** Short waits, because everything a test waits for is an event. */
const QUICK: Partial<FollowSettings> = {
  reconnect: { firstMs: 1, longestMs: 4 },
  rebuild: { firstMs: 1, longestMs: 4 },
};

export interface FollowingOptions
  extends Pick<FollowOptions, 'statuses' | 'status' | 'upstream' | 'checksum' | 'executions' | 'resume'> {
  readonly coins: readonly string[];
  /** Coins of the first subscription. Defaults to all. */
  readonly follow?: readonly string[];
  readonly seed?: number;
  readonly settings?: Partial<FollowSettings>;
  readonly clock?: FakeClock;
  /** Called before the follower starts. */
  readonly prepare?: (service: ScriptedService) => void;
  readonly onEvent?: (event: FollowEvent, follower: () => Follower) => void;
}

/** A scripted service and its follower, with every event of the follower. */
export class Following implements AsyncDisposable {
  readonly service: ScriptedService;
  readonly follower: Follower;
  readonly events: Recorder<FollowEvent>;
  readonly client: Client;

  private constructor(service: ScriptedService, client: Client, follower: Follower, events: Recorder<FollowEvent>) {
    this.service = service;
    this.client = client;
    this.follower = follower;
    this.events = events;
  }

  static async start({
    coins,
    follow: followed = coins,
    seed = 7,
    settings,
    clock,
    prepare,
    onEvent,
    ...given
  }: FollowingOptions): Promise<Following> {
    const chance = new Chance(seed);
    const service = await ScriptedService.start({ coins, chance });
    prepare?.(service);
    const events = new Recorder<FollowEvent>();
    const time = clock === undefined ? {} : { clock };
    const client = createClient({ baseUrl: service.url, WebSocket, random: () => chance.next(), ...time });
    const follower = follow({
      client,
      coins: followed,
      settings: { ...QUICK, ...settings },
      ...given,
      onEvent: (event) => {
        events.add(event);
        onEvent?.(event, () => follower);
      },
    });
    return new Following(service, client, follower, events);
  }

  /** Waits until a coin is live at the service's own position. */
  async live(coin: string): Promise<void> {
    await this.events.until(() => {
      const view = this.follower.coin(coin);
      if (view?.state.kind !== 'live') return false;
      return view.seq === this.service.seq(coin) && view.epoch === this.service.epoch;
    });
  }

  /** The first difference between the followed book of a coin and the service's own, or undefined if there is none. */
  difference(coin: string) {
    const book = this.follower.coin(coin)?.book;
    return book === undefined ? 'no book' : compareWithLevels(this.service.book(coin).levels(), book);
  }

  /** Kinds of the states a coin went through, in order. */
  statesOf(coin: string): readonly string[] {
    return this.events.seen.flatMap((event) =>
      event.kind === 'state' && event.coin === coin ? [event.state.kind] : [],
    );
  }

  /** Holds back the next snapshot of a coin. `respond` sends it as it was when requested, or as the caller changes it. */
  holdSnapshot(coin: string): HeldSnapshot {
    let release: (send: (snapshot: L4BookSnapshot) => L4BookSnapshot) => void = () => {};
    let arrived: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { snapshotScript } = this.service;
    const hold = (snapshot: L4BookSnapshot, response: ServerResponse) => {
      const send = (choose: (taken: L4BookSnapshot) => L4BookSnapshot) => {
        response.writeHead(200).end(JSON.stringify(choose(snapshot)));
      };
      if (snapshot.coin !== coin) {
        snapshotScript.unshift(hold);
        send((taken) => taken);
        return;
      }
      release = send;
      arrived();
    };
    snapshotScript.push(hold);
    return { asked, respond: (choose = (snapshot) => snapshot) => release(choose) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.follower.close();
    await this.service[Symbol.asyncDispose]();
  }
}

export interface HeldSnapshot {
  /** Resolves when the snapshot was requested. */
  readonly asked: Promise<void>;
  respond(choose?: (snapshot: L4BookSnapshot) => L4BookSnapshot): void;
}
