import { setTimeout as sleep } from 'node:timers/promises';
import { type FeedHealth, type L4Feed, NO_HEALTH } from '@l4desk/feed/core';
import type { Log } from '@l4desk/runtime';
import { FencedPublisher } from './fenced-publisher.ts';
import { LeadingTerm } from './leading-term.ts';
import { LEASE_TIMES, Lease, type LeaseTimes } from './lease.ts';
import { type ClusterSettings, NatsLink } from './nats-link.ts';
import { SnapshotSubscription } from './snapshot-exchange.ts';

/** How long a leader whose term ended leaves for others to take over. */
const RESIGNED_MS = 1_000;

/** How often a new leader tries to begin its term, and the pause in between. */
const BEGIN_TRIES = 20;
const BEGIN_PAUSE_MS = 100;

/** A process of `ROLE=sequencer`: stands by until it has the lease, and leads while the stream accepts its blocks. */
export class ClusterSequencer implements AsyncDisposable {
  readonly #log: Log;
  readonly #openFeed: () => L4Feed;
  readonly #link: NatsLink;
  readonly #lease: Lease;
  #term: LeadingTerm | null = null;
  #feed: L4Feed | null = null;
  #terms = 0;
  /** Serialises taking over and stepping down. */
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(settings: ClusterSettings, openFeed: () => L4Feed, log: Log, times: LeaseTimes = LEASE_TIMES) {
    this.#log = log;
    this.#openFeed = openFeed;
    const session = () => this.#link.session;
    this.#link = new NatsLink(settings, 'sequencer', log, {
      up: (opened) => this.#term?.up(opened),
      down: () => this.#term?.down(),
    });
    const leaseDeps = {
      session,
      now: () => performance.now(),
      gained: () => this.#then(() => this.#takeOver()),
      lost: (reason: string) => this.#then(() => this.#stepDown(reason)),
      log,
    };
    this.#lease = new Lease(settings.id, leaseDeps, times);
    this.#link.start();
    this.#lease.start();
  }

  get leads(): boolean {
    return this.#term !== null;
  }

  health(): FeedHealth {
    const feed = this.#feed?.health() ?? NO_HEALTH;
    const natsProblem = this.#link.problem;
    // A standby is healthy, because its upstream does not matter yet.
    const upstream = this.#feed === null ? { upstreamConnected: true, upstreamProblem: null } : {};
    return {
      ...feed,
      ...upstream,
      cluster: {
        role: this.leads ? 'leader' : 'standby',
        natsProblem,
        leaderProblem: null,
        lagMs: 0,
        pendingBytes: this.#term?.pendingBytes ?? 0,
        terms: this.#terms,
        gaps: 0,
        gateways: this.#term?.gateways ?? 0,
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#work;
    // The feed first; what it publishes while another one leads is refused anyway.
    await this.#endTerm();
    await this.#lease.close();
    await this.#link.close();
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => {
      this.#log.error({ err: error }, 'changing the role failed');
    });
  }

  async #takeOver(): Promise<void> {
    if (this.#closed || this.#term !== null) return;
    for (let tries = 1; this.#lease.isHeld && !this.#closed; tries += 1) {
      let snapshots: SnapshotSubscription | undefined;
      try {
        const { session } = this.#link;
        if (session !== null) snapshots = new SnapshotSubscription(session);
        await snapshots?.ready();
        const publisher = await FencedPublisher.begin({
          session: () => this.#link.session,
          ended: (reason) => this.#then(() => this.#stepDown(reason)),
          log: this.#log,
        });
        this.#lead(publisher, snapshots);
        return;
      } catch (error) {
        snapshots?.end();
        this.#log.warn({ err: error }, 'starting a term failed');
        if (tries >= BEGIN_TRIES) return this.#stepDown('the stream does not take a new term');
        await sleep(BEGIN_PAUSE_MS);
      }
    }
  }

  #lead(publisher: FencedPublisher, snapshots: SnapshotSubscription | undefined): void {
    this.#log.info({ term: publisher.term }, 'this sequencer leads');
    this.#terms += 1;
    this.#feed = this.#openFeed();
    this.#term = new LeadingTerm(this.#feed, publisher, this.#log);
    const { session } = this.#link;
    // Of a connection that was lost meanwhile, nothing comes any more.
    if (session !== null) this.#term.up(session, snapshots?.session === session ? snapshots : undefined);
  }

  async #stepDown(reason: string): Promise<void> {
    this.#log.warn({ reason }, 'this sequencer is no longer the leader');
    await this.#endTerm();
    if (!this.#closed) await this.#lease.resign(RESIGNED_MS);
  }

  async #endTerm(): Promise<void> {
    const term = this.#term;
    this.#term = null;
    this.#feed = null;
    await term?.[Symbol.asyncDispose]();
  }
}
