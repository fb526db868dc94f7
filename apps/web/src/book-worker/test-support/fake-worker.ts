import type { FollowEvent } from '@l4desk/client';
import type { WorkerPort } from '../live.ts';
import type { CreditShortage, FromWorker, ToWorker } from '../messages.ts';
import { type WireMessage, WireWriter } from '../wire.ts';
import { BookModel } from '../worker/book-model.ts';
import { FakeFollower } from './fake-follower.ts';

/**
 * The worker without a thread: the real model over a fake follower. Messages to the page are handed over when the test
 * says so, as if the thread had just got to it.
 */
export class FakeWorker implements WorkerPort {
  readonly received: ToWorker[] = [];
  /** What was handed over with each of them. */
  readonly transferred: (readonly Transferable[])[] = [];
  /** What `/readyz` returns in place of a service that is well; how often it was asked. */
  readiness: (() => unknown) | undefined;
  looks = 0;
  terminated = false;
  /** Where the account stands that has run out of credits. */
  credits: CreditShortage['credits'] | null = null;
  /** In place of a response to that. */
  noCredits: (() => Promise<never>) | undefined;
  creditLooks = 0;
  /** Every follower there was. */
  readonly followers: FakeFollower[] = [];
  readonly #outbox: FromWorker[] = [];
  #listener: (event: MessageEvent<WireMessage>) => void = () => {};
  #follower: FakeFollower | undefined;
  #timers: { readonly callback: () => void; readonly afterMs: number }[] = [];
  readonly #model: BookModel;
  readonly #wire = new WireWriter();

  constructor() {
    this.#model = new BookModel({
      follow: (coin, onEvent: (event: FollowEvent) => void) => {
        this.#follower = new FakeFollower(coin, onEvent);
        this.followers.push(this.#follower);
        return this.#follower;
      },
      post: (message) => void this.#outbox.push(message),
      readiness: async () => {
        this.looks += 1;
        return this.readiness === undefined ? this.follower.readiness() : this.readiness();
      },
      credits: async () => {
        this.creditLooks += 1;
        return this.noCredits === undefined ? this.credits : this.noCredits();
      },
      now: () => this.#follower?.now ?? 0,
      later: (callback, afterMs) => void this.#timers.push({ callback, afterMs }),
    });
  }

  get follower(): FakeFollower {
    if (this.#follower === undefined) throw new Error('nothing is followed yet');
    return this.#follower;
  }

  /** What was asked of the worker, by kind. */
  asked<Kind extends ToWorker['kind']>(kind: Kind) {
    return this.received.filter((message): message is Extract<ToWorker, { kind: Kind }> => message.kind === kind);
  }

  postMessage(message: ToWorker, { transfer = [] }: { readonly transfer?: readonly Transferable[] } = {}): void {
    this.received.push(message);
    this.transferred.push(transfer);
    if (message.kind === 'ask' && message.spent !== undefined) this.#wire.takeBack(message.spent);
    this.#model.receive(message);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    if (type === 'message') this.#listener = listener as (event: MessageEvent<WireMessage>) => void;
  }

  terminate(): void {
    this.terminated = true;
    this.#listener = () => {};
  }

  /** What waits for the page, without handing it over. */
  get waiting(): readonly FromWorker[] {
    return this.#outbox;
  }

  /** Hands everything that waits to the page; returns how much it was. */
  deliver(): number {
    const messages = this.#outbox.splice(0);
    for (const message of messages) this.#listener(new MessageEvent('message', { data: this.#wire.write(message) }));
    return messages.length;
  }

  /** Runs every timer that waits, once. */
  runTimers(): void {
    for (const { callback } of this.#timers.splice(0)) callback();
  }

  /** How long each timer waits, in the order they were set. */
  get waits(): readonly number[] {
    return this.#timers.map(({ afterMs }) => afterMs);
  }
}
