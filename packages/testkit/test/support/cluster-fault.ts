import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@l4desk/testkit';
import type { NatsServer } from '@l4desk/testkit/nats';
import type { PostgresServer } from '@l4desk/testkit/postgres';
import type { Cluster, ClusterMember } from './cluster.ts';

/** Which part fails, and how. */
export type ClusterFault = {
  readonly kind: 'kill' | 'stop' | 'pause';
  readonly what: 'leader' | 'standby' | 'gateway' | 'nats' | 'postgres';
};

/** One fault of each important kind, for a quick run. */
export const QUICK_FAULTS: readonly ClusterFault[] = [
  { kind: 'kill', what: 'leader' },
  { kind: 'kill', what: 'nats' },
  { kind: 'kill', what: 'gateway' },
];

/** The parts that can fail. */
export interface ClusterParts {
  readonly cluster: Cluster;
  readonly nats: NatsServer;
  /** Also fails, if given. */
  readonly postgres: PostgresServer | undefined;
  /** Returns a running gateway. */
  readonly gateway: () => ClusterMember;
}

/** How long a paused process hangs: longer than a lease, and longer than what counts as silence. */
export const PAUSE_MS = 5_000;

/** Makes a part of a cluster fail. Resolves with a function that undoes it. */
export async function beginFault({ kind, what }: ClusterFault, parts: ClusterParts): Promise<() => Promise<void>> {
  const { nats, postgres } = parts;
  if (what === 'nats') return endServer(kind, nats, () => nats.pause());
  if (what === 'postgres') {
    if (postgres === undefined) return async () => {};
    const resume = kind === 'pause' ? await postgres.pause() : undefined;
    if (resume === undefined) await postgres.end(kind === 'kill' ? 'SIGQUIT' : 'SIGINT');
    return async () => {
      if (resume === undefined) return postgres.launch();
      await pause(PAUSE_MS);
      await resume();
    };
  }
  const member = await memberOf(what, parts);
  if (kind !== 'pause') {
    await member.end(kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
    return async () => {
      if (what === 'leader') await anotherLeads(member, parts);
      member.start();
      await member.ready();
    };
  }
  member.pause(true);
  return async () => {
    if (what === 'leader') await anotherLeads(member, parts);
    else await pause(PAUSE_MS);
    member.pause(false);
  };
}

async function memberOf(
  what: 'leader' | 'standby' | 'gateway',
  { cluster, gateway }: ClusterParts,
): Promise<ClusterMember> {
  if (what === 'gateway') return gateway();
  const leader = await until('a leader', () => cluster.leader());
  const standby = cluster.sequencers.find((member) => member !== leader);
  return what === 'leader' || standby === undefined ? leader : standby;
}

async function anotherLeads(gone: ClusterMember, { cluster }: ClusterParts): Promise<void> {
  const others = cluster.sequencers.filter((member) => member !== gone);
  await until('another sequencer leads', async () => {
    const roles = await Promise.all(others.map((member) => member.metric('l4desk_cluster_leads').catch(() => 0)));
    return roles.includes(1);
  });
}

async function endServer(
  kind: ClusterFault['kind'],
  server: NatsServer,
  stop: () => () => void,
): Promise<() => Promise<void>> {
  if (kind === 'pause') {
    const resume = stop();
    return async () => {
      await pause(PAUSE_MS);
      resume();
    };
  }
  await server.end(kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
  return () => server.launch();
}
