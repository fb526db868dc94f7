import { useEffect } from 'react';
import { useLive, useLiveStatus } from '../../book-worker/live-context.tsx';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { counted, wholeText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';

interface BlockNoticeProps {
  readonly coin: string;
  /** The height that the address asks for. */
  readonly block: number;
  /** Takes it out of the address. */
  readonly onDismiss: () => void;
}

/** Holds the ladder at a block to come; says of one that went by what this page can say: no book of then, but its proof. */
export function BlockNotice({ coin, block, onDismiss }: BlockNoticeProps) {
  const live = useLive();
  const status = useLiveStatus();
  useEffect(() => {
    live.hold({ coin, height: block });
    return () => live.hold(undefined);
  }, [live, coin, block]);
  const mine = status?.coin === coin ? status : undefined;
  const ahead = block - (mine?.position?.height ?? block);
  return (
    <Notice onDismiss={onDismiss}>
      <p data-part="block">
        {blockText(mine, block)}
        {mine?.holdAt === block && ahead > 0 && (
          // It counts with every block: not for a screen reader.
          <span aria-hidden className="num text-12">
            {' '}
            {counted(ahead, 'block')} to go.
          </span>
        )}
      </p>
    </Notice>
  );
}

/** What can be said of a block of the followed coin. */
export function blockText(status: LiveStatus | undefined, block: number): string {
  const name = `Block ${wholeText(block)}`;
  const position = status?.position;
  if (status === undefined || position === undefined) return `${name}: the book is on its way.`;
  const { coin, frozen, verification } = status;
  if (status.holdAt === block) return `${name} is to come: the ladder will be held at it, queues too.`;
  if (frozen?.height === block) return `The ladder is held at block ${wholeText(block)}, queues too.`;
  if (frozen?.asked === block) {
    return `Nothing changed in ${coin} at block ${wholeText(block)}: the ladder is held at its next change, block ${wholeText(frozen.height)}.`;
  }
  if (position.height < block) return `${name} is to come.`;
  if (position.height === block) return `${name} is the present one: the ladder goes on with the next.`;
  const parts = [
    `${name} went by. The service has the present book and no earlier one: how ${coin} stood then cannot be shown.`,
  ];
  if (status.builtAt === undefined || status.builtAt > block) {
    parts.push(
      `This page follows ${coin} from block ${wholeText(status.builtAt ?? position.height)} on, so it proves nothing of it.`,
    );
  } else if (status.state.kind === 'live') {
    const [from, to] = [status.builtAt, position.height].map(wholeText);
    parts.push(
      `It is in the book shown: built at block ${from}, every change up to block ${to} applied without a gap.`,
    );
  }
  if (verification?.kind === 'equal' && verification.height >= block) {
    parts.push(`A fresh snapshot of block ${wholeText(verification.height)} was equal, order by order.`);
  }
  return parts.join(' ');
}
