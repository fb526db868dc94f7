import { useRef } from 'react';
import { useLive } from '../../book-worker/live-context.tsx';
import { usePanes } from '../../book-worker/use-panes.ts';
import { usePreferences } from '../../state/preferences.ts';
import { clockText, momentText, wholeText, zoneText } from '../../ui/format.ts';
import { PaneText, usePaneAttributes, usePointedTitle } from './live-text.tsx';

interface ShownBlockProps {
  readonly withTime?: boolean;
}

/** The block that the ladder and all panes show; nothing before there is one. */
export function ShownBlock({ withTime = false }: ShownBlockProps) {
  const frozen = usePanes((frame) => frame.frozen);
  return frozen === undefined ? null : <Block frozen={frozen} withTime={withTime} />;
}

interface BlockProps {
  readonly frozen: boolean;
  readonly withTime: boolean;
}

function Block({ frozen, withTime }: BlockProps) {
  const live = useLive();
  const zone = usePreferences((state) => state.timeZone);
  const box = useRef<HTMLSpanElement>(null);
  usePaneAttributes(box, ({ height, blockTime }) => ({
    'data-height': height,
    'data-time': new Date(blockTime).toISOString(),
  }));
  const title = usePointedTitle(() => {
    const frame = live.panes();
    return frame && `The block that the ladder and all panes show, of ${momentText(frame.blockTime, zone)}`;
  });
  return (
    <span
      ref={box}
      data-part="shown-block"
      data-frozen={frozen}
      {...title}
      className={`num shrink-0 ${frozen ? 'text-strong' : 'text-dim'}`}
    >
      <span className="max-sm:sr-only">block </span>
      {/* One text: the browser composites each canvas that changes by itself. */}
      <PaneText
        read={({ height, blockTime }) =>
          withTime
            ? `${wholeText(height)} · ${clockText(blockTime, zone)} ${zoneText(zone, blockTime)}`
            : wholeText(height)
        }
      />
    </span>
  );
}
