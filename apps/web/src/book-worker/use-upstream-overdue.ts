import { isSuspect, type Readiness, type UpstreamBlocks } from '@l4desk/protocol';
import { briefText, reportedBlocks, usuallyText } from './clocks.ts';
import { useBook } from './use-book.ts';

/**
 * Text saying how long blocks have been overdue and what is usual, from the stream or else the last readiness; undefined if
 * neither reports it.
 */
export function useUpstreamOverdue(readiness: Readiness | undefined): string | undefined {
  // The stream reports it every second, sooner than a request would.
  const streamed = useBook(({ status, now }) => overdueText(reportedBlocks(status, now)));
  return streamed ?? overdueText(readiness?.upstreamL4.blocks ?? undefined);
}

function overdueText(blocks: UpstreamBlocks | undefined): string | undefined {
  if (blocks === undefined || !isSuspect(blocks)) return undefined;
  return `No block for ${briefText(blocks.ageMs)}${usuallyText(blocks)}.`;
}
