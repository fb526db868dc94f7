import { wholeText } from '../../ui/format.ts';
import { SteadyText } from './live-text.tsx';

interface OtherBlockProps {
  /** The block of the pane's numbers. */
  readonly height: number;
  /** Why it may differ from the ladder's. */
  readonly title: string;
}

/**
 * The block of a pane that is not in every frame. It is shown even when it equals the ladder's block: a text that appears and
 * disappears many times a second flickers, and makes the browser rebuild its layers each time.
 */
export function OtherBlock({ height, title }: OtherBlockProps) {
  return (
    <span data-part="other-block" className="num ml-auto text-11 whitespace-nowrap text-dim" title={title}>
      <SteadyText>{`of ${wholeText(height)}`}</SteadyText>
    </span>
  );
}
