import { useBook } from '../../book-worker/use-book.ts';
import { classNames } from '../../ui/class-names.ts';
import { Digits } from '../../ui/digits.tsx';
import { wholeText } from '../../ui/format.ts';

interface OtherBlockProps {
  readonly height: number;
  /** Why it may differ from the ladder's. */
  readonly title: string;
  /** What the pane's rows are, other than those of its last result in their order: shown instead, in the same box. */
  readonly instead?: string | undefined;
  /** What else there is to say of the rows: shown in the box while nothing else is. */
  readonly note?: string | undefined;
  /** Characters that the box always has room for. */
  readonly room?: number;
}

/** A pane of a live book whose pace is slower than the ladder's is this many blocks behind at most; one further behind says so. */
const BEHIND_MAX = 15;

/**
 * The block of a pane, which is seen only while it is not the ladder's, which the page already names. Its room is always there,
 * because a text that comes and goes would make the browser rebuild its layers.
 */
export function OtherBlock({ height, title, instead, note, room = 0 }: OtherBlockProps) {
  const isOther = useBook(({ shown }) => {
    if (shown === undefined) return false;
    return shown.frozen ? height !== shown.height : shown.height - height > BEHIND_MAX;
  });
  const isSeen = isOther || instead !== undefined || note !== undefined;
  return (
    <span
      data-part="other-block"
      className={classNames(
        'num ml-auto text-11 whitespace-nowrap',
        instead === undefined && !isOther ? 'text-dim' : 'text-stale',
        !isSeen && 'invisible',
      )}
      title={title}
    >
      <Digits room={room}>{instead ?? (isOther ? undefined : note) ?? `of ${wholeText(height)}`}</Digits>
    </span>
  );
}
