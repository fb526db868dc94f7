import type { DataSource } from '@l4desk/protocol';
import { useLocation } from '@tanstack/react-router';
import { useBook } from '../book-worker/use-book.ts';
import { useTime } from '../ui/use-time.ts';

/** Shows on every page where the data comes from, unless it is an exchange. */
export function SourceBadge({ source }: { readonly source: DataSource }) {
  const { second, day } = useTime();
  const isBook = useLocation({ select: ({ pathname }) => pathname.startsWith('/book/') });
  const from = useBook(({ status }) => status?.recorded?.from.time);
  const to = useBook(({ status }) => status?.recorded?.to.time);
  if (isBook && from !== undefined && to !== undefined) {
    const hint = `The book of a recording, blocks from ${second(from)} to ${second(to)}.`;
    return <RecordedBadge date={day(from)} hint={hint} />;
  }
  switch (source.kind) {
    case 'live':
      return null;
    case 'simulated':
      return <Badge text="Simulated data" short="sim" hint="This market comes from the simulated exchange." />;
    case 'recorded': {
      const hint = `Replay of a recorded exchange, blocks from ${second(source.from)} to ${second(source.to)}. After the last block, the final state stays on screen.`;
      return <RecordedBadge date={day(source.from)} hint={hint} />;
    }
  }
}

function RecordedBadge({ date, hint }: { readonly date: string; readonly hint: string }) {
  return <Badge text={`Recorded ${date}`} short={`rec ${date}`} hint={hint} />;
}

interface BadgeProps {
  readonly text: string;
  readonly short: string;
  readonly hint: string;
}

function Badge({ text, short, hint }: BadgeProps) {
  return (
    <span title={hint} className="rounded-4 border border-stale px-1.5 text-11 whitespace-nowrap text-stale">
      <span className="max-sm:sr-only">{text}</span>
      <span aria-hidden className="sm:hidden">
        {short}
      </span>
    </span>
  );
}
