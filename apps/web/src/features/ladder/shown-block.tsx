import { useRef } from 'react';
import { usePanes } from '../../book-worker/use-panes.ts';
import { wholeText } from '../../ui/format.ts';
import { PaneText, usePaneAttributes } from './live-text.tsx';

/** The block that the ladder and all panes show; nothing before there is one. */
export function ShownBlock() {
  const frozen = usePanes((frame) => frame.frozen);
  return frozen === undefined ? null : <BlockNumber frozen={frozen} />;
}

function BlockNumber({ frozen }: { readonly frozen: boolean }) {
  const box = useRef<HTMLSpanElement>(null);
  usePaneAttributes(box, ({ height }) => ({ 'data-height': height }));
  return (
    <span
      ref={box}
      data-part="shown-block"
      data-frozen={frozen}
      title="The block that the ladder and all panes show"
      className={`num shrink-0 ${frozen ? 'text-strong' : 'text-dim'}`}
    >
      <span className="max-sm:sr-only">block </span>
      <PaneText read={({ height }) => wholeText(height)} />
    </span>
  );
}
