import { X } from 'lucide-react';
import { useRef } from 'react';
import { useWithKey } from '../../hooks/actions.ts';
import { NARROW, useMedia, WIDE } from '../../hooks/use-media.ts';
import { IconButton } from '../../ui/button.tsx';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { takesFocus } from '../../ui/pass-focus.ts';
import { useWantedFocus } from './pane-focus.ts';
import { PaneGrid } from './pane-grid.tsx';
import { RADAR_PANE } from './panes.tsx';
import { RadarPane } from './radar/radar-pane.tsx';
import { Rail, SidePanel } from './side-panel.tsx';
import { Splitter } from './splitter.tsx';
import type { Panels } from './use-panels.ts';

interface PanesBesideProps {
  readonly panels: Panels;
  /** The ladders' share of the width, in percent, if somebody set it. */
  readonly split: number | undefined;
}

/** What is beside the ladders: as many panes as fit, or one; without any, their names; and the radar, where it fits. */
export function PanesBeside({ panels, split }: PanesBesideProps) {
  const isNarrow = useMedia(NARROW);
  const isWide = useMedia(WIDE);
  const { pane, hasRadarStrip, radar, onRadar, onSplit, onPane } = panels;
  const many = pane === undefined ? <Rail onPane={onPane} /> : <PaneGrid panels={panels} pane={pane} />;
  return (
    <>
      {!isNarrow && pane !== undefined && <Splitter split={split} onSplit={onSplit} />}
      {isWide ? many : <SidePanel panels={panels} isFlexible={split !== undefined} />}
      {hasRadarStrip && radar && <RadarStrip onClose={() => onRadar(false)} />}
    </>
  );
}

const itself = (strip: HTMLElement) => strip;

/** The radar at the right edge, where the page is wide enough for it. */
function RadarStrip({ onClose }: { readonly onClose: () => void }) {
  const strip = useRef<HTMLElement>(null);
  const withKey = useWithKey();
  useWantedFocus(RADAR_PANE, strip, itself);
  return (
    <aside
      ref={strip}
      {...takesFocus}
      aria-label="Radar strip"
      data-part="radar-strip"
      data-toasts="beside"
      className="focus-area flex w-[264px] shrink-0 flex-col border-l border-line bg-surface-1"
    >
      <header className="flex shrink-0 items-center justify-between border-b border-line pr-1 pl-2">
        <h2 className="text-12 text-dim">Radar</h2>
        <IconButton icon={X} name={withKey('Hide the radar', 'radar')} onClick={onClose} />
      </header>
      <PaneBoundary name="Radar">
        <RadarPane />
      </PaneBoundary>
    </aside>
  );
}
