import { type DecimalString, isAddress } from '@l4desk/protocol';
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Centring } from '../../book-worker/axis.ts';
import type { Live } from '../../book-worker/live.ts';
import type { LevelRef } from '../../book-worker/position.ts';
import { isUnproven, useBook, useLive } from '../../book-worker/use-book.ts';
import { COARSE_POINTER, REDUCED_MOTION, useMedia } from '../../hooks/use-media.ts';
import { useSize } from '../../hooks/use-size.ts';
import { usePreferences, useSettings } from '../../state/preferences.ts';
import { markingsOf } from '../../wallets/marks.ts';
import { useWalletBook } from '../../wallets/wallet-book.ts';
import { AccessibleGrid } from './accessible-grid.tsx';
import { OnlyBand, WithoutBand } from './bands.tsx';
import { useBookPage } from './book-page.ts';
import { BandReadout } from './canvas/band-readout.tsx';
import { Minimap } from './canvas/draw-minimap.tsx';
import { Headings } from './canvas/headings.tsx';
import { LadderHandle } from './canvas/ladder-handle.ts';
import { LaneTip } from './canvas/lane-tip.tsx';
import type { BandPrices, FromScene, LaneTarget, SceneTool, SceneView, SceneWindow } from './canvas/scene-types.ts';
import { type CanvasTheme, faded, type LaneMark, readTheme } from './canvas/theme.ts';
import { LOOK } from './look.ts';
import { openMenu } from './menu/menu-target.ts';
import { ownName } from './own-text.ts';
import { PaneMessage } from './pane-message.tsx';
import { writeSweep } from './search.ts';
import { TouchChips } from './touch-chips.tsx';

interface LadderProps {
  /** Its name for screen readers. */
  readonly name: string;
  /** The ladder's number within its book; only the first, 0, has a map. */
  readonly view: number;
  readonly mode: Centring;
  readonly layout: 'split' | 'single';
  readonly onSelect: (level: LevelRef) => void;
  /** `crosshairPrice` is the price that another ladder of the same coin points at; `onCrosshairPrice` receives this ladder's. */
  readonly crosshairPrice?: DecimalString | undefined;
  readonly onCrosshairPrice?: ((px: DecimalString | undefined) => void) | undefined;
  /** For the controls around it. */
  readonly paneRef: RefObject<LadderHandle | null>;
}

/** Why a browser shows no ladder. */
const NO_CANVAS = 'this browser cannot draw the ladder, because it has no OffscreenCanvas (Safari before 16.4)';

/** A narrower ladder has no room for the map. */
const MAP_FROM = 520;

/**
 * The ladder: a canvas that the book's worker paints, and an invisible table over it with the same content for keyboards and screen
 * readers.
 */
export function Ladder(props: LadderProps) {
  const { name, view, mode, layout, onSelect, paneRef, crosshairPrice: crosshair } = props;
  const page = useBookPage();
  const { coin, tick, level: selected, paused, without, only, onPassport, onSweep } = page;
  const live = useLive();
  const density = usePreferences((state) => state.density);
  const [look] = useSettings(LOOK);
  const choice = useMemo(() => ({ ...look, layout }), [look, layout]);
  const motion = !useMedia(REDUCED_MOTION);
  const section = useRef<HTMLElement>(null);
  const { width: outerWidth } = useSize(section);
  const place = useRef<HTMLDivElement>(null);
  const isAlone = only !== undefined;
  const isPart = isAlone || without !== undefined;
  const [lane, setLane] = useState<LaneTarget>();
  const [band, setBand] = useState<BandPrices>();
  const [window, setWindow] = useState<SceneWindow>();
  const [tool, setTool] = useState<SceneTool>('scroll');
  const size = useSize(place);
  const [drawn, setDrawn] = useState<SceneView>();
  const shown = drawn?.snapshot?.coin;
  const stale = useBook(isUnproven);
  const sweep = ({ to, sz }: BandPrices) => {
    const side = to.side === 'A' ? 'buy' : 'sell';
    // A sweep takes from the whole book: if the rows show only a part of it, the sweep is set by price instead of size.
    onSweep(writeSweep(isPart ? { side, measure: 'to', amount: to.px } : { side, measure: 'sz', amount: sz }));
  };
  const menu = ({ level, x, y }: Extract<FromScene, { readonly kind: 'menu' }>) => {
    const { left = 0, top = 0 } = place.current?.getBoundingClientRect() ?? {};
    const order = lane?.level.side === level.side && lane.level.px === level.px ? lane.order : null;
    openMenu({
      x: left + x,
      y: top + y,
      level,
      oid: order?.oid,
      user: isAddress(order?.user) ? order.user : undefined,
      page,
      measure: () => paneRef.current?.run({ kind: 'measureFrom', level }),
    });
  };
  const onEvent = useEffectEvent((event: FromScene) => {
    switch (event.kind) {
      case 'select':
        return onSelect(event.level);
      case 'order':
        return onPassport(event.level, event.oid);
      case 'crosshair':
        return props.onCrosshairPrice?.(event.px);
      case 'tool':
        return setTool(event.tool);
      case 'lane':
        return setLane(event.lane);
      case 'band':
        return setBand(event.band);
      case 'sweep':
        return sweep(event.sweep);
      case 'window':
        return setWindow(event.window);
      case 'menu':
        return menu(event);
      case 'view':
        return setDrawn(event.view);
    }
  });
  const finger = useMedia(COARSE_POINTER);
  const rowHeight = density === 'comfortable' || finger ? 26 : 20;
  const marks = useMarks(live);
  const recentre = () => paneRef.current?.run({ kind: 'recentre' });
  const options = useMemo(
    () => ({ tick, mode, rowHeight, choice, selected, marks, without, isAlone, crosshair, motion }),
    [tick, mode, rowHeight, choice, selected, marks, without, isAlone, crosshair, motion],
  );
  const firstOptions = useEffectEvent(() => options);
  // Without rows there is nothing to fade.
  const isFaded = stale && shown === coin;
  // Only the first ladder of a book has a map. The width decides that does not depend on the map.
  const hasMap = look.map && view === 0 && outerWidth >= MAP_FROM;
  const colours = useRef<CanvasTheme>(undefined);
  /** Colours are read only when they may have changed, not with the rows: reading them makes the browser recompute styles. */
  const theme = useEffectEvent((isStale: boolean, mayDiffer: boolean) => {
    if (mayDiffer || colours.current === undefined) colours.current = readTheme(document.documentElement);
    return isStale ? faded(colours.current) : colours.current;
  });
  const readAnew = useEffectEvent(() => theme(isFaded, true));

  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    if (!('transferControlToOffscreen' in HTMLCanvasElement.prototype)) return live.fail(NO_CANVAS);
    const pane = new LadderHandle(
      box,
      live,
      () => readAnew(),
      firstOptions(),
      (event) => onEvent(event),
    );
    paneRef.current = pane;
    return () => {
      pane.close();
      paneRef.current = null;
    };
  }, [live, paneRef]);

  useEffect(() => live.follow(coin), [live, coin]);
  useEffect(() => paneRef.current?.setOptions(options), [paneRef, options]);

  useEffect(() => paneRef.current?.setTheme(theme(isFaded, false)), [paneRef, isFaded]);

  return (
    <section
      ref={section}
      aria-label={name}
      data-part="ladder"
      data-stale={stale}
      data-paused={paused}
      data-crosshair={crosshair}
      className="isolate flex min-h-0 min-w-0 grow overflow-hidden"
    >
      <div className="relative min-w-0 grow overflow-hidden">
        <div ref={place} aria-hidden className="absolute inset-0" />
        <AccessibleGrid coin={coin} pane={paneRef} selected={selected} marks={marks} view={drawn} />
        {shown === coin && drawn?.columns !== undefined && (
          <Headings columns={drawn.columns} bar={drawn.bar} rowHeight={rowHeight} />
        )}
        <LaneTip {...size} target={lane} />
        <BandReadout isRuler={tool === 'ruler'} isPart={isPart} band={band} onEnd={() => paneRef.current?.escape()} />
        {without !== undefined && <WithoutBand address={without} />}
        {only !== undefined && <OnlyBand address={only} />}
        <PaneMessage coin={coin} hasRows={shown === coin} paused={paused} rowHeight={rowHeight} />
        {drawn !== undefined && <TouchChips view={drawn} isFaded={isFaded} onRecentre={recentre} />}
      </div>
      {hasMap && (
        <div className={isFaded ? 'grayscale' : undefined}>
          <Minimap
            shown={window}
            onShow={(index) => paneRef.current?.run({ kind: 'show', index })}
            onRecentre={recentre}
          />
        </div>
      )}
    </section>
  );
}

/** Tells the worker whose orders to mark; returns how each mark is drawn, from 1. */
function useMarks(live: Live): readonly LaneMark[] {
  const wallets = useWalletBook((state) => state.wallets);
  const marks = useMemo(() => [...markingsOf(wallets).values()], [wallets]);
  const isHidden = usePreferences((state) => state.privacy);
  useEffect(() => {
    live.choose({ kind: 'watch', wallets: marks.map(({ wallet, mark }) => ({ address: wallet.address, mark })) });
  }, [live, marks]);
  return useMemo(() => {
    const isAlone = marks.length === 1;
    return marks.map(({ wallet, hue, pattern, letter }) => {
      return { hue, pattern, letter, name: ownName(wallet, isAlone, isHidden) };
    });
  }, [marks, isHidden]);
}
