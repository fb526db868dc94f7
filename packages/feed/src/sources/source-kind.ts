import { type L4FeedSettings, WHOLE_BLOCKS } from '../settings.ts';
import { HostedSource } from './hosted-source.ts';
import { ServerSource } from './server-source.ts';
import type { SourceKind } from './source.ts';

export function sourceKind({ reorderMs, upstream }: Pick<L4FeedSettings, 'reorderMs' | 'upstream'>): SourceKind {
  switch (upstream.dialect) {
    case 'l4Book':
      return {
        tuning: {},
        reorderMs,
        sendsWholeBlocks: false,
        logsSilence: false,
        open: ({ pingAfterMs, pongWithinMs, silentAfterMs }, events, deps) =>
          new ServerSource({ url: upstream.url, silentAfterMs, reorderMs, pingAfterMs, pongWithinMs }, events, deps),
      };
    case 'l4BookUpdates':
      return {
        // A hosted service responds from memory, to many requests at a time.
        tuning: { ...WHOLE_BLOCKS, joinsOutstandingMax: 8, joinShareMax: 1, auditShareMax: 0.5 },
        reorderMs: 0,
        sendsWholeBlocks: true,
        logsSilence: false,
        open: ({ pingAfterMs, pongWithinMs }, events, deps) =>
          new HostedSource(
            {
              ...upstream,
              pingAfterMs,
              pongWithinMs,
              // No audits on silence: they cost credits there, and the sequence numbers already show what was missed.
              silentAfterMs: Number.POSITIVE_INFINITY,
            },
            events,
            deps,
          ),
      };
  }
}
