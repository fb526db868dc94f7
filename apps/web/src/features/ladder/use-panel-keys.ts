import { useMemo } from 'react';
import type { Command } from '../../hooks/commands.ts';
import { type Shortcut, useShortcuts } from '../../hooks/shortcuts.ts';
import { PANES, RADAR_PANE } from './panes.tsx';
import type { Panels } from './use-panels.ts';

/** Keyboard shortcuts for what opens and closes around the ladder; returns the same as palette commands. */
export function usePanelKeys(panels: Panels): readonly Command[] {
  const { pane, strip, time, hasRadarStrip, radar, layout } = panels;
  const { onPane, onReopenPane, onClosePane, onStrip, onTime, onRadar, onLayout } = panels;
  const { shortcuts, commands } = useMemo(() => {
    const close = () => (pane === undefined ? onReopenPane() : onClosePane());
    const closeText = pane === undefined ? 'Open the panel' : 'Close the panel';
    const showRadar = () => (hasRadarStrip ? onRadar(!radar) : onPane(RADAR_PANE));
    const other = layout === 'split' ? 'single' : 'split';
    const looks = [
      {
        id: 'layout',
        text: `Layout: ${other === 'split' ? 'two sides' : 'one side'} of the price`,
        run: () => onLayout(other),
      },
      { id: 'strip', text: `${strip ? 'Hide' : 'Show'} the figures strip`, run: () => onStrip(!strip) },
      { id: 'time', text: `${time ? 'Hide' : 'Show'} the time strip`, run: () => onTime(!time) },
      ...(hasRadarStrip
        ? [{ id: 'radar', text: `${radar ? 'Hide' : 'Show'} the radar strip`, hint: 'R', run: showRadar }]
        : []),
    ];
    const tabs = PANES.map(({ key, name }, at) => ({
      key: String(at + 1),
      id: `pane ${key}`,
      text: key === RADAR_PANE && hasRadarStrip ? 'Go to the radar strip' : `Show the ${name} pane`,
      run: () => onPane(key),
    }));
    return {
      shortcuts: [
        ...tabs.map(({ key, text, run }): Shortcut => ({ key, text, run })),
        {
          key: 'r',
          text: hasRadarStrip
            ? 'Show or hide the radar strip'
            : 'Show the Radar pane; in a wide window, the radar strip',
          run: showRadar,
        },
        { key: '0', text: 'Close or open the panel', run: close },
      ] satisfies readonly Shortcut[],
      commands: [
        ...tabs.map(({ key, id, text, run }): Command => ({ id, text, hint: key, run })),
        { id: 'panel', text: closeText, hint: '0', run: close },
        ...looks,
      ] satisfies readonly Command[],
    };
  }, [
    pane,
    strip,
    time,
    radar,
    hasRadarStrip,
    layout,
    onPane,
    onReopenPane,
    onClosePane,
    onStrip,
    onTime,
    onRadar,
    onLayout,
  ]);
  useShortcuts('Panes', shortcuts);
  return commands;
}
