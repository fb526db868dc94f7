import { unescape } from 'node:querystring';
import { backoffMs, type Log } from '@l4desk/runtime';
import { pause, systemClock } from '@l4desk/runtime/node';
import {
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';

/** Settings of a process in a cluster. */
export interface ClusterSettings {
  /** `NATS_URL`: `nats://` or `tls://`, with a user and password, or only a token, if the server requires them. */
  readonly url: string;
  /** Unique name of this process in the cluster: letters, digits and dashes. */
  readonly id: string;
  /** Number of NATS servers that keep each block (`NATS_REPLICAS`). */
  readonly replicas: number;
}

/** The stream with the leading sequencer's messages, and their subjects. */
export const STREAM = 'l4desk';
export const BLOCK_SUBJECT = 'l4desk.block';
export const HEALTH_SUBJECT = 'l4desk.health';
export const SNAPSHOT_SUBJECT = 'l4desk-snapshot';
const LEASE_BUCKET = 'l4desk-lease';
export const INTEREST_BUCKET = 'l4desk-interest';

const SECOND_NS = 1_000_000_000;

/** How long the stream keeps a message; a gateway that was disconnected for longer rebuilds its books. */
const KEPT_SECONDS = 120;
const KEPT_BYTES = 1_073_741_824;

/** The interest of a gateway that disappeared expires after this time. */
export const INTEREST_TTL_MS = 10_000;

const RECONNECT = { firstMs: 100, longestMs: 2_000 };
const CONNECT_WITHIN_MS = 3_000;
const PING_MS = 2_000;
const PINGS_MISSED_MAX = 2;

/** Error code of the server for a publish whose expected last sequence is not the stream's or the subject's. */
const WRONG_LAST_SEQUENCE = 10_071;

/** Bytes of a message reserved for its subject and headers. */
const HEADERS_BYTES = 4_096;
const CHUNK_BYTES_MAX = 524_288;

/** An open connection. */
export interface NatsSession {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  /** The buckets of the lease and of the coins that gateways want. */
  readonly lease: KV;
  readonly interest: KV;
  /** Maximum bytes of one message. */
  readonly chunkBytesMax: number;
}

interface NatsLinkEvents {
  /** The connection is open, for the first time or again. */
  readonly up: (session: NatsSession) => void;
  /** The connection is lost and is being reopened. */
  readonly down: (problem: string) => void;
}

/** A connection to NATS that is reopened whenever it is lost, with jittered pauses. */
export class NatsLink {
  readonly #url: URL;
  readonly #replicas: number;
  readonly #name: string;
  readonly #log: Log;
  readonly #events: NatsLinkEvents;
  #session: NatsSession | null = null;
  #problem: string | null = 'not connected yet';
  readonly #end = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor({ url, id, replicas }: ClusterSettings, role: string, log: Log, events: NatsLinkEvents) {
    this.#url = new URL(url);
    this.#replicas = replicas;
    this.#name = `l4desk ${role} ${id}`;
    this.#log = log;
    this.#events = events;
  }

  get session(): NatsSession | null {
    return this.#session;
  }

  /** Why there is no connection, without host names; null while there is one. */
  get problem(): string | null {
    return this.#problem;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** The reconnect loop: runs until closed. Consecutive failures wait longer each time, up to a maximum. */
  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#end.signal.aborted) {
      try {
        const connection = await connect(this.#options());
        if (this.#end.signal.aborted) {
          await connection.close();
          return;
        }
        try {
          const session = await prepare(connection, this.#replicas);
          failures = 0;
          await this.#hold(session);
        } finally {
          await connection.close();
        }
      } catch (error) {
        this.#lost(error instanceof Error ? error.message : String(error));
      }
      if (this.#end.signal.aborted) return;
      failures += 1;
      await pause(systemClock, backoffMs(failures, RECONNECT, Math.random), this.#end.signal);
    }
  }

  /** Resolves when the connection is lost. The client's own reconnect is off, to reconcile messages in flight first. */
  async #hold(session: NatsSession): Promise<void> {
    this.#session = session;
    this.#problem = null;
    this.#log.info({}, 'NATS connected');
    this.#events.up(session);
    const error = await session.connection.closed();
    this.#session = null;
    if (!this.#end.signal.aborted) this.#lost(error?.message ?? 'the connection was closed');
  }

  #lost(problem: string): void {
    const isChanged = this.#problem === null || this.#problem !== problem;
    this.#problem = problem;
    if (isChanged && !this.#end.signal.aborted) this.#log.warn({ problem }, 'NATS not connected, trying again');
    this.#events.down(problem);
  }

  #options() {
    const { hostname, port, username, password, protocol } = this.#url;
    const [user, pass] = [unescape(username), unescape(password)];
    // A name without a password is a token, as other clients of NATS read it.
    const login = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
    return {
      servers: `${hostname}:${port === '' ? '4222' : port}`,
      name: this.#name,
      reconnect: false,
      timeout: CONNECT_WITHIN_MS,
      pingInterval: PING_MS,
      maxPingOut: PINGS_MISSED_MAX,
      ...login,
      ...(protocol === 'tls:' ? { tls: {} } : {}),
    };
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#session?.connection.close();
    await this.#loop;
  }
}

/** Ensures the cluster's stream and buckets in NATS: creates missing ones, and adds replicas if more are wanted than exist. */
async function prepare(connection: NatsConnection, replicas: number): Promise<NatsSession> {
  const manager = await jetstreamManager(connection);
  await manager.streams.info(STREAM).catch(async (error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'stream not found') throw error;
    await manager.streams.add({
      name: STREAM,
      subjects: [BLOCK_SUBJECT, HEALTH_SUBJECT],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: KEPT_SECONDS * SECOND_NS,
      max_bytes: KEPT_BYTES,
      num_replicas: replicas,
    });
  });
  const buckets = new Kvm(connection);
  const lease = await buckets.create(LEASE_BUCKET, { history: 1, replicas });
  const interest = await buckets.create(INTEREST_BUCKET, { history: 1, ttl: INTEREST_TTL_MS, replicas });
  for (const name of [STREAM, `KV_${LEASE_BUCKET}`, `KV_${INTEREST_BUCKET}`]) {
    const { config } = await manager.streams.info(name);
    if (config.num_replicas < replicas) await manager.streams.update(name, { num_replicas: replicas });
  }
  const payloadMax = connection.info?.max_payload ?? CHUNK_BYTES_MAX;
  return { connection, manager, lease, interest, chunkBytesMax: Math.min(CHUNK_BYTES_MAX, payloadMax - HEADERS_BYTES) };
}

/** Whether a write was refused because another process wrote first. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE;
}
