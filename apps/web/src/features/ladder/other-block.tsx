import { wholeText } from '../../ui/format.ts';
import { SteadyText } from './live-text.tsx';

interface OtherBlockProps {
  /** The block that the pane's numbers are of. */
  readonly height: number;
  /** Why that may be another one. */
  readonly title: string;
}

/**
 * The block of a pane that is not in every frame. It is said of the ladder's block too: a text that comes and
 * goes many times a second is a flicker, and has the browser put its layers together anew each time.
 */
export function OtherBlock({ height, title }: OtherBlockProps) {
  return (
    <span className="num ml-auto text-11 text-dim max-sm:hidden" title={title}>
      <SteadyText>{`of ${wholeText(height)}`}</SteadyText>
    </span>
  );
}
