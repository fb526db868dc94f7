import { usePanes } from '../../book-worker/use-panes.ts';
import { wholeText } from '../../ui/format.ts';
import { SteadyText } from './steady-text.tsx';

interface OtherBlockProps {
  /** The block that the pane's numbers are of. */
  readonly height: number;
  /** Why that may be another one. */
  readonly title: string;
}

/** The block of a pane that is not answered with every frame, where the ladder is at another one; its place is kept. */
export function OtherBlock({ height, title }: OtherBlockProps) {
  const isOther = usePanes((frame) => frame.height !== height) ?? false;
  return (
    <span className={`num ml-auto text-11 text-dim max-sm:hidden ${isOther ? '' : 'invisible'}`} title={title}>
      <SteadyText>{`of ${wholeText(height)}`}</SteadyText>
    </span>
  );
}
