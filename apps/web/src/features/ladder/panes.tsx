import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { passesFocus } from '../../ui/pass-focus.ts';
import { JournalPane } from './journal/journal-pane.tsx';
import { LevelPane } from './level/level-pane.tsx';
import { OrderPane } from './order/order-pane.tsx';
import { OwnersPane } from './owners/owners-pane.tsx';
import { QueuesPane } from './queues/queues-pane.tsx';
import { RadarPane } from './radar/radar-pane.tsx';
import { GreyedOut } from './status/block-age.tsx';
import { SweepPane } from './sweep/sweep-pane.tsx';
import { TapePane } from './tape/tape-pane.tsx';
import { WatchPane } from './watch/watch-pane.tsx';

export interface Pane {
  /** The key in the URL: `pane=level`. */
  readonly key: string;
  readonly name: string;
  readonly Component: ComponentType<{ readonly trailing?: ReactNode }>;
  /** It shows something other than the shown book. */
  readonly isOther?: boolean;
}

const PricePane = lazy(() => import('./price/price-pane.tsx'));

/** The key of the radar, which a wide window shows in a strip instead of a pane. */
export const RADAR_PANE = 'radar';

/** The map of prices, which a tall panel shows above the others. */
export const PRICE_PANE: Pane = { key: 'price', name: 'Price', Component: PricePane };

/** The tabs of the panel, in order. Add a pane with one line here. */
export const PANES: readonly Pane[] = [
  { key: 'level', name: 'Level', Component: LevelPane },
  { key: 'owners', name: 'Owners', Component: OwnersPane },
  { key: 'tape', name: 'Tape', Component: TapePane },
  { key: 'order', name: 'Order', Component: OrderPane },
  { key: 'queues', name: 'Queues', Component: QueuesPane },
  { key: 'sweep', name: 'Sweep', Component: SweepPane },
  { key: 'journal', name: 'Journal', Component: JournalPane, isOther: true },
  { key: 'watch', name: 'Watch', Component: WatchPane, isOther: true },
  { key: RADAR_PANE, name: 'Radar', Component: RadarPane, isOther: true },
  PRICE_PANE,
];

interface PaneBodyProps {
  readonly pane: Pane;
  /** At the end of its first line, if it has room for that. */
  readonly trailing?: ReactNode;
}

/**
 * The open pane. An error in it stays within it, and its view of the book is greyed out together with the ladder's. Changes in it
 * lay out nothing around it: an item of a flex box is always laid out by that box, whatever containment it has, so the contained
 * box is the one inside the item. Another pane in its place leaves the focus in the panel.
 */
export function PaneBody({ pane: { key, name, isOther = false, Component }, trailing }: PaneBodyProps) {
  const body = (look: string) => (
    <div key={key} ref={passesFocus} className={look}>
      <PaneBoundary name={name}>
        <Suspense fallback={null}>
          <Component trailing={trailing} />
        </Suspense>
      </PaneBoundary>
    </div>
  );
  if (isOther) return body('flex min-h-0 min-w-0 grow flex-col');
  return (
    <GreyedOut className="relative min-h-0 min-w-0 grow">
      {body('absolute inset-0 flex flex-col contain-strict')}
    </GreyedOut>
  );
}

/** In the URL and the preferences: no panel. */
export const NO_PANE = 'none';

export const PANE_KEYS: readonly string[] = PANES.map(({ key }) => key);

export const isPane = (key: string): boolean => PANE_KEYS.includes(key);
