import type { HeldBook } from '@l4desk/book';
import type { ResumePoint } from '@l4desk/protocol';
import { StreamConnection } from '../stream/connection.ts';
import type { StreamMessage } from '../stream/message.ts';
import type { ConnectionState, DisconnectReason, StopReason } from '../stream/state.ts';
import { type SubscriptionHandlers, Subscriptions } from '../stream/subscriptions.ts';
import { type CoinDeps, CoinFollower } from './coin.ts';
import { FOLLOW_DEFAULTS } from './settings.ts';
import { Slots } from './slots.ts';
import type { FollowEvent, Follower, FollowOptions } from './types.ts';

/** Follows coins over one socket and keeps an exact book of each, until `close`. */
export function follow(options: FollowOptions): Follower {
  const { client, statuses = 'book', status = false, upstream = false, checksum = true } = options;
  const { executions = false, resume = true, onEvent = () => {} } = options;
  const { platform } = client.transport;
  const settings = { ...FOLLOW_DEFAULTS, ...options.settings };
  const followed = new Map<string, CoinFollower>();

  // Events are queued until the follower's own state is complete: a listener may call the follower, and finds it consistent.
  const outbox: FollowEvent[] = [];
  let flushing = false;
  function flush(): void {
    if (flushing) return;
    flushing = true;
    try {
      for (let event = outbox.shift(); event !== undefined; event = outbox.shift()) onEvent(event);
    } finally {
      flushing = false;
    }
  }

  const deps: CoinDeps = {
    client,
    platform,
    settings,
    slots: new Slots(settings.snapshotsAtOnce),
    emit: (event) => outbox.push(event),
    flush,
    onRefusedCredential: ({ code, status, message }) =>
      connection.stop(status === 402 ? { kind: 'credits', message } : { kind: 'credential', code, message }),
  };

  const handlers: SubscriptionHandlers = {
    send: (method, subscription) => connection.send({ method, subscription }),
    resumePoint: (coins) => (resume ? resumePointOf(coins.map((coin) => followed.get(coin)?.held)) : undefined),
    onSubscribed: (coins, outcome) => {
      for (const coin of coins) {
        const until = outcome?.resumed[coin];
        const refusal = outcome?.refused[coin];
        if (until !== undefined) followed.get(coin)?.onResumed(until);
        else followed.get(coin)?.onSubscribed();
        if (refusal !== undefined) outbox.push({ kind: 'notResumed', coin, reason: refusal });
      }
    },
    onAssumed: (coins) => {
      for (const coin of coins) followed.get(coin)?.onAssumed();
    },
    onRefused: (coins, message) => {
      for (const coin of coins) followed.get(coin)?.onRefused(message);
      outbox.push({ kind: 'refused', coins, message });
    },
    // The service keeps trying the coin. It returns with a gap; meanwhile `status` reports on it.
    onUnavailable: () => {},
    afterAcknowledgeTime: (callback) =>
      platform.clock.after(settings.acknowledgeMs, () => {
        callback();
        flush();
      }),
  };
  const subscriptions = new Subscriptions({ statuses, status, upstream, checksum, executions }, handlers);

  const connection = new StreamConnection(client.transport, settings, { onState, onMessage });

  function onState(state: ConnectionState): void {
    outbox.push({ kind: 'connection', connection: state });
    if (state.kind === 'open') subscriptions.opened();
    if (state.kind === 'waiting') {
      subscriptions.closed();
      for (const coin of followed.values()) {
        coin.onDisconnected({ reason: 'disconnected', detail: describeDisconnect(state.reason) });
      }
    }
    if (state.kind === 'stopped') {
      subscriptions.closed();
      for (const coin of followed.values()) {
        coin.onDisconnected({ reason: 'stopped', detail: describeStop(state.reason) });
      }
    }
    flush();
  }

  function onMessage(message: StreamMessage): void {
    if (message.kind === 'batch') {
      for (const entry of message.batch.coins) followed.get(entry.coin)?.onBatch(entry);
    } else if (message.kind === 'bookStatus') {
      const { status } = message;
      if (followed.has(status.coin)) outbox.push({ kind: 'bookStatus', coin: status.coin, status });
    } else if (message.kind === 'upstream') {
      outbox.push({ kind: 'upstream', upstream: message.upstream });
    } else {
      subscriptions.receive(message);
    }
    flush();
  }

  function add(coins: readonly string[]): void {
    if (connection.state.kind === 'stopped') return;
    const fresh = [...new Set(coins)].filter((coin) => !followed.has(coin));
    for (const coin of fresh) followed.set(coin, new CoinFollower(coin, deps));
    subscriptions.add(fresh);
    flush();
  }

  add(options.coins);
  connection.start();

  return {
    get connection() {
      return connection.state;
    },
    get roundTripMs() {
      return connection.roundTripMs;
    },
    get coins() {
      return [...followed.keys()];
    },
    coin: (coin) => followed.get(coin)?.view(connection.lastMessageAt),
    add,
    remove(coins) {
      for (const coin of coins) {
        followed.get(coin)?.release();
        followed.delete(coin);
      }
      subscriptions.remove(coins);
      flush();
    },
    async verify(coin, { signal } = {}) {
      const follower = followed.get(coin);
      if (follower === undefined) throw new RangeError(`${coin} is not followed`);
      return follower.verify(signal);
    },
    missed: (coin, reason, detail) => followed.get(coin)?.onMissed(reason, detail),
    close: () => connection.stop({ kind: 'closed' }),
  };
}

/** Books of one epoch, the most common one. Books of other epochs start over anyway. */
function resumePointOf(held: readonly ((HeldBook & { readonly coin: string }) | undefined)[]): ResumePoint | undefined {
  const byEpoch = new Map<string, Record<string, number>>();
  for (const book of held) {
    if (book !== undefined) byEpoch.set(book.epoch, { ...byEpoch.get(book.epoch), [book.coin]: book.seq });
  }
  const [most] = [...byEpoch].toSorted(([, a], [, b]) => Object.keys(b).length - Object.keys(a).length);
  return most === undefined ? undefined : { epoch: most[0], seq: most[1] };
}

function describeDisconnect(reason: DisconnectReason): string {
  switch (reason.kind) {
    case 'failed':
      return `no connection: ${reason.message}`;
    case 'closed':
      return `the connection was closed (${reason.code}${reason.message === '' ? '' : ` ${reason.message}`})`;
    case 'silent':
      return `nothing came for ${reason.silentMs} ms`;
    case 'malformed':
      return `a message could not be read: ${reason.message}`;
  }
}

function describeStop(reason: StopReason): string {
  return reason.kind === 'closed' ? 'closed' : reason.message;
}
