import { isSuspect, type Readiness, type UpstreamBlocks } from '@l4desk/protocol';
import { briefText, reportedBlocks } from './clocks.ts';
import { useLiveMoment } from './live-context.tsx';

/** Says that blocks stay away, for how long, and what is usual: by the stream or by the last readiness, undefined by neither. */
export function useUpstreamOverdue(readiness: Readiness | undefined): string | undefined {
  // The stream tells it every second, and sooner than it can be asked for.
  const streamed = useLiveMoment((live, now) => overdueText(reportedBlocks(live.status(), now)));
  return streamed ?? overdueText(readiness?.upstreamL4.blocks ?? undefined);
}

function overdueText(blocks: UpstreamBlocks | undefined): string | undefined {
  if (blocks === undefined || !isSuspect(blocks)) return undefined;
  return `No block for ${briefText(blocks.ageMs)}, usually ${briefText(blocks.usualMs)}.`;
}
