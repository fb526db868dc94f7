import { NARROW, useMedia, WIDE } from '../../hooks/use-media.ts';
import { PaneGrid } from './pane-grid.tsx';
import { RadarStrip } from './radar/radar-strip.tsx';
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
  const { hasRadarStrip, radar, onRadar, onSplit } = panels;
  return (
    <>
      {!isNarrow && panels.pane !== undefined && <Splitter split={split} onSplit={onSplit} />}
      <Panes panels={panels} split={split} />
      {hasRadarStrip && radar && <RadarStrip onClose={() => onRadar(false)} />}
    </>
  );
}

function Panes({ panels, split }: PanesBesideProps) {
  const isWide = useMedia(WIDE);
  const { pane, chart, onPane, onChart, onClosePane } = panels;
  if (!isWide) {
    return (
      <SidePanel
        pane={pane}
        hasChart={chart}
        onPane={onPane}
        onCloseChart={() => onChart(false)}
        onClose={onClosePane}
        isFlexible={split !== undefined}
      />
    );
  }
  if (pane === undefined) return <Rail onPane={onPane} />;
  return (
    <PaneGrid
      pane={pane}
      hasRadar={!panels.hasRadarStrip}
      order={panels.order}
      closed={panels.closed}
      onOrder={panels.onOrder}
      onCloseOne={panels.onCloseOne}
      onClose={onClosePane}
    />
  );
}
