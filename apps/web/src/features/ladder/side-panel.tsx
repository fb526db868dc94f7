import { PanelRightClose, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useWithKey } from '../../hooks/actions.ts';
import { NARROW, TALL, useMedia } from '../../hooks/use-media.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { takesFocus, usePassesFocus } from '../../ui/pass-focus.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { PANES, PaneBody, PRICE_PANE } from './panes.tsx';
import { UnprovenAge } from './status/block-age.tsx';
import type { Panels } from './use-panels.ts';

interface SidePanelProps {
  readonly panels: Panels;
  /** It fills the width that the ladders leave, because somebody set theirs. */
  readonly isFlexible: boolean;
}

/**
 * The panes beside the ladder, one of them open. Its width is reserved whatever it shows, so that nothing moves sideways; when
 * closed, it leaves its tabs. Without room beside the ladder it is a sheet over the lower part.
 */
export function SidePanel({ panels, isFlexible }: SidePanelProps) {
  const { pane, chart, onPane, onChart, onClosePane } = panels;
  const isSheet = useMedia(NARROW);
  const isTall = useMedia(TALL);
  const withKey = useWithKey();
  const panel = useRef<HTMLElement>(null);
  const passing = usePassesFocus(panel);
  const open = PANES.find(({ key }) => key === pane);
  const isOpen = open !== undefined;

  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // A sheet that opens covers the element that was pressed, so the focus moves into it; nothing was pressed for an open one.
    if (isSheet && isOpen && !wasOpen.current) panel.current?.focus();
    wasOpen.current = isOpen;
  }, [isSheet, isOpen]);

  if (open === undefined) return isSheet ? <SheetTabs onPane={onPane} /> : <Rail onPane={onPane} />;
  return (
    <aside
      ref={passing}
      {...takesFocus}
      aria-label="Panes"
      data-part="panel"
      data-pane={open.key}
      className={
        isSheet
          ? 'focus-area flex h-[54%] shrink-0 flex-col border-t border-edge bg-surface-1'
          : classNames(
              'focus-area isolate flex flex-col border-l border-line bg-surface-1',
              isFlexible ? 'min-w-0 grow basis-0' : 'w-[clamp(380px,40vw,600px)] shrink-0',
            )
      }
    >
      {chart && isTall && !isSheet && open.key !== PRICE_PANE.key && (
        <div data-part="chart" className="flex h-[44%] shrink-0 flex-col border-b border-line">
          <PaneBody
            pane={PRICE_PANE}
            trailing={<IconButton icon={X} name="Close the price map" onClick={() => onChart(false)} />}
          />
        </div>
      )}
      <Tabs
        name="Panes"
        value={open.key}
        options={PANES.map(({ key, name }) => ({ value: key, text: name }))}
        onChange={onPane}
        trailing={
          <span className="flex items-center pr-1">
            <UnprovenAge />
            <IconButton icon={PanelRightClose} name={withKey('Close the panel', 'panel')} onClick={onClosePane} />
          </span>
        }
      >
        <h2 className="sr-only">{open.name}</h2>
        <PaneBody pane={open} />
      </Tabs>
    </aside>
  );
}

interface ClosedTabsProps {
  readonly onPane: (key: string) => void;
}

/** The vertical tabs of a closed panel. */
export function Rail({ onPane }: ClosedTabsProps) {
  return (
    <nav
      aria-label="Panes"
      data-toasts="beside"
      data-part="rail"
      className="flex w-7 shrink-0 flex-col border-l border-line bg-surface-1"
    >
      <PaneButtons onPane={onPane} look="h-20 w-full text-12 leading-7 [writing-mode:vertical-rl]" />
    </nav>
  );
}

function SheetTabs({ onPane }: ClosedTabsProps) {
  return (
    <nav
      aria-label="Panes"
      data-toasts="above"
      data-part="sheet-tabs"
      className="flex shrink-0 flex-wrap border-t border-line bg-surface-1"
    >
      <PaneButtons onPane={onPane} look="h-(--control) grow text-11 sm:text-12" />
    </nav>
  );
}

function PaneButtons({ onPane, look }: ClosedTabsProps & { readonly look: string }) {
  return PANES.map(({ key, name }) => (
    <button
      key={key}
      type="button"
      onClick={() => onPane(key)}
      className={`text-center text-dim -outline-offset-2 hover:bg-surface-2 hover:text-text ${look}`}
    >
      {name}
    </button>
  ));
}
