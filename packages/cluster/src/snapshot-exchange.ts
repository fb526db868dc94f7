import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { L4Feed } from '@l4desk/feed/core';
import { type DecodedSnapshot, decodeL4BookSnapshot } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import { createInbox, type Msg, type Subscription } from '@nats-io/transport-node';
import { Joiner, readFrame, split, writeFrame } from './frame.ts';
import { type NatsSession, SNAPSHOT_SUBJECT } from './nats-link.ts';

const decompress = promisify(brotliDecompress);

/** How long the leader waits for a book that is not built yet. */
const BUILT_WITHIN_MS = 15_000;

/** How long a gateway waits for the first piece, and for each further one. */
const FIRST_PIECE_MS = BUILT_WITHIN_MS + 1_000;
const NEXT_PIECE_MS = 3_000;

/** Maximum bytes queued for a gateway but not sent; past it the next piece waits. */
const UNSENT_BYTES_MAX = 4_194_304;

/** A snapshot and the generation of the coin's book in the term that it shows. */
export interface LeaderSnapshot {
  readonly snapshot: DecodedSnapshot;
  readonly generation: number;
}

/** Access to the leader's books for serving snapshots. */
export interface SnapshotSource {
  readonly term: string;
  readonly feed: Pick<L4Feed, 'snapshot'>;
  /** The current generation of a coin's book. */
  readonly generation: (coin: string) => number;
}

/** Holds gateways' requests until they are served, from before the term: a deposed leader may still be subscribed. */
export class SnapshotSubscription {
  readonly session: NatsSession;
  readonly #subscription: Subscription;
  #held: Msg[] = [];
  #serve: (message: Msg) => void = (message) => this.#held.push(message);

  constructor(session: NatsSession) {
    this.session = session;
    this.#subscription = session.connection.subscribe(SNAPSHOT_SUBJECT, {
      callback: (error, message) => {
        if (error === null) this.#serve(message);
      },
    });
  }

  /** Resolves once the server sends the requests here; rejects if the connection is lost before. */
  async ready(): Promise<void> {
    const { connection } = this.session;
    // A flush of a connection that is lost never ends.
    const lost = connection.closed().then((error) => {
      throw error ?? new Error('the connection was closed');
    });
    await Promise.race([connection.flush(), lost]);
  }

  /** Serves the requests held so far, and those that come. */
  serve(serve: (message: Msg) => void): void {
    this.#serve = serve;
    for (const message of this.#held.splice(0)) serve(message);
  }

  end(): void {
    this.#subscription.unsubscribe();
  }
}

/** Serves snapshots of the leader's books to gateways in pieces, compressed once for all concurrent requests. */
export function serveSnapshots(
  subscription: SnapshotSubscription,
  { term, feed, generation }: SnapshotSource,
  log: Log,
): void {
  const { session } = subscription;
  const serve = async (message: Msg): Promise<void> => {
    const coin = message.string();
    const respond = (index: number, part: number, parts: number, bytes: Uint8Array) => {
      message.respond(writeFrame({ term, index, part, parts, bytes }));
    };
    try {
      const { bytes } = await feed.snapshot(coin, 'br', AbortSignal.timeout(BUILT_WITHIN_MS));
      // The feed reports the state of the book before it returns a snapshot of it.
      const index = generation(coin);
      const pieces = split(bytes, session.chunkBytesMax);
      let unsent = 0;
      for (const [part, piece] of pieces.entries()) {
        respond(index, part, pieces.length, piece);
        unsent += piece.length;
        if (unsent < UNSENT_BYTES_MAX) continue;
        unsent = 0;
        await session.connection.flush();
      }
    } catch (error) {
      log.debug({ coin, err: error }, 'snapshot not sent to a gateway');
      // Zero pieces: there is no book yet.
      if (!session.connection.isClosed()) respond(0, 0, 0, new Uint8Array());
    }
  };
  subscription.serve((message) => void serve(message));
}

/** Fetches a coin's snapshot from the leader of a term. Rejects if it has none in time or another leader responds. */
export async function fetchSnapshot(
  session: NatsSession,
  term: string,
  coin: string,
  signal: AbortSignal,
): Promise<LeaderSnapshot> {
  const { bytes, generation } = await fetchPieces(session, term, coin, signal);
  const text = await decompress(bytes);
  return { snapshot: decodeL4BookSnapshot(JSON.parse(text.toString()), coin), generation };
}

interface Fetched {
  readonly bytes: Uint8Array;
  readonly generation: number;
}

function fetchPieces({ connection }: NatsSession, term: string, coin: string, signal: AbortSignal): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const joiner = new Joiner();
    const inbox = createInbox();
    let timer: NodeJS.Timeout | undefined;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      subscription.unsubscribe();
      settle();
    };
    const fail = (problem: string) => end(() => reject(new Error(problem)));
    const onAbort = () => fail('no longer wanted');
    const expect = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => fail('no snapshot in time'), ms);
    };
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error !== null) return fail(error.message);
        // No leader: the server reports at once that there are no subscribers.
        if (message.headers?.code === 503) return fail('no sequencer leads');
        const frame = readFrame(message.data);
        if (frame === null || frame.term !== term) return fail('the snapshot is of another term');
        if (frame.parts === 0) return fail('the sequencer has no book yet');
        expect(NEXT_PIECE_MS);
        const whole = joiner.take(frame);
        if (whole !== null) end(() => resolve({ bytes: whole, generation: frame.index }));
      },
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) return onAbort();
    expect(FIRST_PIECE_MS);
    connection.publish(SNAPSHOT_SUBJECT, coin, { reply: inbox });
  });
}
