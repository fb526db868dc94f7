import type { PanesFrame, SlowPaneName } from '../../book-worker/panes.ts';
import { useSlowResponse } from '../../book-worker/use-book.ts';
import { classNames } from '../../ui/class-names.ts';
import { Digits } from '../../ui/digits.tsx';
import { wholeText } from '../../ui/format.ts';

interface OtherBlockProps {
  readonly pane: SlowPaneName;
  /** Why it may differ from the ladder's. */
  readonly title: string;
  /** What the pane's rows are, other than those of its last response in their order: shown instead, in the same box. */
  readonly instead?: ((frame: PanesFrame) => string) | undefined;
  /** Characters that the box always has room for. */
  readonly room?: number;
}

/**
 * The block of a pane that is not in every frame. It is shown even when it equals the ladder's block: a text that appears and
 * disappears many times a second flickers, and makes the browser rebuild its layers each time.
 */
export function OtherBlock({ pane, title, instead, room = 0 }: OtherBlockProps) {
  const text = useSlowResponse(pane, (frame) => instead?.(frame) ?? blockText(frame[pane]?.height)) ?? '';
  return (
    <span
      data-part="other-block"
      className={classNames('num ml-auto text-11 whitespace-nowrap', instead === undefined ? 'text-dim' : 'text-stale')}
      title={title}
    >
      <Digits room={room}>{text}</Digits>
    </span>
  );
}

function blockText(height: number | undefined): string {
  return height === undefined ? '' : `of ${wholeText(height)}`;
}
