import { classNames } from '../../ui/class-names.ts';
import { Digits } from '../../ui/digits.tsx';
import { wholeText } from '../../ui/format.ts';

interface OtherBlockProps {
  readonly height: number;
  /** Why it may differ from the ladder's. */
  readonly title: string;
  /** What the pane's rows are, other than those of its last result in their order: shown instead, in the same box. */
  readonly instead?: string | undefined;
  /** Characters that the box always has room for. */
  readonly room?: number;
}

/**
 * The block of a pane. It is shown even when it equals the ladder's block: a text that appears and disappears many times a second
 * flickers, and makes the browser rebuild its layers each time.
 */
export function OtherBlock({ height, title, instead, room = 0 }: OtherBlockProps) {
  return (
    <span
      data-part="other-block"
      className={classNames('num ml-auto text-11 whitespace-nowrap', instead === undefined ? 'text-dim' : 'text-stale')}
      title={title}
    >
      <Digits room={room}>{instead ?? `of ${wholeText(height)}`}</Digits>
    </span>
  );
}
