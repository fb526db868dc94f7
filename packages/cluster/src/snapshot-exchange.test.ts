import type { NatsConnection } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import type { NatsSession } from './nats-link.ts';
import { SnapshotSubscription } from './snapshot-exchange.ts';

/** A connection that is lost before the server answers a flush, which the client leaves pending. */
function lostConnection(error: Error | undefined): NatsConnection {
  const connection: Pick<NatsConnection, 'subscribe' | 'flush' | 'closed'> = {
    subscribe: () => ({ unsubscribe: () => {} }) as ReturnType<NatsConnection['subscribe']>,
    flush: () => new Promise(() => {}),
    closed: async () => error,
  };
  return connection as NatsConnection;
}

test.each([[new Error('stale connection')], [undefined]])(
  'a takeover does not wait for a connection that was lost before the requests come: %s',
  async (error) => {
    const session: Pick<NatsSession, 'connection'> = { connection: lostConnection(error) };
    const subscription = new SnapshotSubscription(session as NatsSession);
    await expect(subscription.ready()).rejects.toThrow(error?.message ?? 'the connection was closed');
  },
);
