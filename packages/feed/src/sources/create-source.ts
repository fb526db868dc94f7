import type { L4FeedSettings, L4Tuning } from '../settings.ts';
import { HostedSource } from './hosted-source.ts';
import { NodeSource, type NodeSourceDeps } from './node/node-source.ts';
import { ServerSource, type SourceDeps } from './server-source.ts';
import type { L4Source, SourceEvents } from './source.ts';

/** Creates the source for the upstream's dialect. */
export function createSource(
  { reorderMs, upstream }: L4FeedSettings,
  tuning: L4Tuning,
  events: SourceEvents,
  { clock, random, log, readsAll, rests }: SourceDeps & NodeSourceDeps,
): L4Source {
  const { pingAfterMs, pongWithinMs, silentAfterMs, reconnect, acknowledgeMs, auditWithinMs } = tuning;
  const times = { pingAfterMs, pongWithinMs, backoff: reconnect };
  switch (upstream.dialect) {
    case 'l4Book':
      return new ServerSource({ url: upstream.url, silentAfterMs, reorderMs, ...times }, events, {
        clock,
        random,
        log,
        readsAll,
      });
    case 'l4BookUpdates':
      // No audits on silence: they cost credits there, and the sequence numbers already show what was missed.
      return new HostedSource(
        {
          ...upstream,
          ...times,
          silentAfterMs: Number.POSITIVE_INFINITY,
          acknowledgeMs,
          quietCheckWithinMs: auditWithinMs,
        },
        events,
        { clock, random, log },
      );
    case 'node': {
      const { filePollMs: pollMs, fileLookMs: lookMs, fillsWithinMs } = tuning;
      return new NodeSource(
        { ...upstream, silentAfterMs, snapshotWithinMs: auditWithinMs, pollMs, lookMs, fillsWithinMs },
        events,
        { clock, log, readsAll, rests },
      );
    }
  }
}
