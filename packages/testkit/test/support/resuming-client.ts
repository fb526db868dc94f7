import { createClient, type FollowEvent, type Follower, follow } from '@l4desk/client';
import type { SpecClientOptions } from '@l4desk/testkit';
import type { VenueBook } from '@l4desk/testkit/stack';
import { WebSocket } from 'ws';

/** Our client library: after a disconnect it resumes, and it compares its book with the checksum of every entry. */
export class ResumingClient implements AsyncDisposable {
  /** Contradictions between the service and the books. */
  readonly violations: string[] = [];
  readonly counts = { resumed: 0, notResumed: 0 };
  readonly #follower: Follower;

  /** The URLs of `options` are read again for every connection and every snapshot. */
  constructor(options: SpecClientOptions) {
    class AnySocket extends WebSocket {
      constructor() {
        super(`${options.streamUrl}?key=${options.key}`);
      }
    }
    this.#follower = follow({
      client: createClient({
        baseUrl: new URL(options.infoUrl).origin,
        apiKey: options.key,
        WebSocket: AnySocket,
        fetch: (_url, init) => fetch(options.infoUrl, init),
      }),
      coins: options.coins,
      settings: { reconnect: { firstMs: 100, longestMs: 200 }, rebuild: { firstMs: 100, longestMs: 200 } },
      onEvent: (event) => this.#onEvent(event),
    });
  }

  position(coin: string): { readonly epoch: string | undefined; readonly seq: number | undefined } | undefined {
    const view = this.#follower.coin(coin);
    return view?.state.kind === 'live' ? { epoch: view.epoch, seq: view.seq } : undefined;
  }

  /** A sentence if the book is not this one, order by order. */
  difference(coin: string, levels: VenueBook['levels']): string | undefined {
    const keys = (sides: readonly (readonly { oid: number; sz: string; limitPx: string }[])[] = []) =>
      JSON.stringify(sides.map((orders) => orders.map(({ oid, sz, limitPx }) => [oid, sz, limitPx])));
    return keys(this.#follower.coin(coin)?.book?.levels()) === keys(levels) ? undefined : `another book of ${coin}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#follower.close();
  }

  #onEvent(event: FollowEvent): void {
    if (event.kind === 'resumed' || event.kind === 'notResumed') this.counts[event.kind] += 1;
    if (event.kind === 'disproved' || event.kind === 'findings') this.violations.push(JSON.stringify(event));
  }
}
