import { PanelRightClose, X } from 'lucide-react';
import { useRef } from 'react';
import { useWithKey } from '../../hooks/actions.ts';
import { useSize } from '../../hooks/use-size.ts';
import { IconButton } from '../../ui/button.tsx';
import { takesFocus, usePassesFocus } from '../../ui/pass-focus.ts';
import { Select } from '../../ui/select.tsx';
import { PANE_KEYS, PANES, PaneBody, RADAR_PANE } from './panes.tsx';
import { UnprovenAge } from './status/block-age.tsx';
import type { Panels } from './use-panels.ts';

interface PaneGridProps {
  readonly panels: Panels;
  /** The pane that was opened last: it is always among those shown. */
  readonly pane: string;
}

/** Minimum width and height of a pane, px. */
const WIDTH_MIN = 380;
const HEIGHT_MIN = 430;
const COLUMNS_MAX = 3;

/** The panes that are of use without a selection, first; nothing is empty by default. */
const DEFAULT_ORDER = ['price', 'tape', 'owners', 'level', 'queues', 'sweep'];

/** Several panes at once, as many as fit, column by column; each place can show any of them, or be closed. */
export function PaneGrid({ panels, pane }: PaneGridProps) {
  const { closed, onOrder, onCloseOne, onClosePane } = panels;
  const order = panels.order.length === 0 ? DEFAULT_ORDER : panels.order;
  const box = useRef<HTMLElement>(null);
  const passing = usePassesFocus(box);
  const withKey = useWithKey();
  const { width, height } = useSize(box);
  const columnsMax = Math.max(1, Math.min(COLUMNS_MAX, Math.floor(width / WIDTH_MIN)));
  const rowsMax = height >= 2 * HEIGHT_MIN ? 2 : 1;
  const places = columnsMax * rowsMax;
  const offered = !panels.hasRadarStrip ? PANES : PANES.filter(({ key }) => key !== RADAR_PANE);
  const all = offered.map(({ key }) => key);
  const shown = width === 0 ? [] : panesShown({ all, order, closed, places, asked: pane });
  const rows = Math.max(1, Math.min(rowsMax, shown.length));
  const columns = Math.max(1, Math.ceil(shown.length / rows));
  const close = (key: string) => {
    // The pressed button is gone then: the focus stays among the panes.
    box.current?.focus();
    onCloseOne(
      key,
      shown.filter((other) => other !== key),
    );
  };
  return (
    <aside
      ref={passing}
      {...takesFocus}
      aria-label="Panes"
      data-part="panel"
      data-pane={pane}
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
      }}
      // Isolated, so that changes elsewhere do not repaint it.
      className="focus-area isolate grid min-h-0 min-w-95 grow basis-0 grid-flow-col border-l border-line bg-surface-1"
    >
      {shown.map((key, place) => {
        const open = PANES.find((known) => known.key === key);
        return (
          open !== undefined && (
            <div
              key={key}
              data-part="pane"
              data-pane={key}
              // The last one takes the room of the places after it.
              style={place === shown.length - 1 ? { gridRowEnd: -1 } : undefined}
              className="isolate flex min-h-0 min-w-0 flex-col border-line not-nth-[1]:border-l"
            >
              <header className="flex shrink-0 items-center border-y border-line pr-1">
                <h2 className="sr-only">{open.name}</h2>
                <Select
                  name={`Pane ${place + 1}`}
                  caption=""
                  value={key}
                  options={offered.map(({ key: value, name }) => ({ value, text: name }))}
                  onChange={(next) => onOrder(withPane(PANE_KEYS, order, shown, place, next), next)}
                />
                <span className="relative grow self-stretch">
                  <span className="own-layout flex items-center justify-end">
                    <UnprovenAge />
                    {place === (columns - 1) * rows && (
                      <IconButton
                        icon={PanelRightClose}
                        name={withKey('Close the panes', 'panel')}
                        onClick={onClosePane}
                      />
                    )}
                    <IconButton icon={X} name={`Close ${open.name}`} onClick={() => close(key)} />
                  </span>
                </span>
              </header>
              <PaneBody pane={open} />
            </div>
          )
        );
      })}
    </aside>
  );
}

/** Every pane once: first those in the chosen order, then the others in their own order. */
function completed(all: readonly string[], order: readonly string[]): readonly string[] {
  return [...new Set([...order.filter((key) => all.includes(key)), ...all])];
}

interface Places {
  readonly all: readonly string[];
  readonly order: readonly string[];
  /** Panes that were closed: their places stay empty, and the others take the room. */
  readonly closed: readonly string[];
  readonly places: number;
  /** The pane opened last: it is always shown. If no place is empty, it takes the last one. */
  readonly asked: string;
}

/** The panes in this many places. */
export function panesShown({ all, order, closed, places, asked }: Places): readonly string[] {
  const shown = completed(all, order)
    .slice(0, places)
    .filter((key) => key === asked || !closed.includes(key));
  if (shown.includes(asked) || !all.includes(asked)) return shown;
  return [...shown.slice(0, places - 1), asked];
}

/** The order after putting pane `next` into a place; it swaps places with the pane that was there. */
export function withPane(
  all: readonly string[],
  order: readonly string[],
  shown: readonly string[],
  place: number,
  next: string,
): readonly string[] {
  const now = [...new Set([...shown, ...completed(all, order)])];
  const before = now[place];
  if (before === undefined || !now.includes(next)) return now;
  const swapped = new Map([
    [before, next],
    [next, before],
  ]);
  return now.map((key) => swapped.get(key) ?? key);
}
