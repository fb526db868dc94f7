import { type Address, type DecimalString, isAddress } from '@l4desk/protocol';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { create } from 'zustand';
import type { Live } from '../../book-worker/live.ts';
import { isUnproven, useBook, useLive } from '../../book-worker/use-book.ts';
import { useBack } from '../../hooks/use-back.ts';
import { COARSE_POINTER, REDUCED_MOTION, useMedia } from '../../hooks/use-media.ts';
import { useSize } from '../../hooks/use-size.ts';
import { usePreferences, useSettings } from '../../state/preferences.ts';
import { type KeptRule, useWatchRules } from '../../state/watch-rules.ts';
import { IconButton } from '../../ui/button.tsx';
import { grouped } from '../../ui/format.ts';
import { passesFocus } from '../../ui/pass-focus.ts';
import { markingsOf } from '../../wallets/marks.ts';
import { useWallet, useWalletBook } from '../../wallets/wallet-book.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { AccessibleGrid } from './accessible-grid.tsx';
import { useBookPage } from './book-page.ts';
import type { PlacedLadder } from './books/books.ts';
import { BandReadout } from './canvas/band-readout.tsx';
import { Minimap } from './canvas/draw-minimap.tsx';
import { Headings } from './canvas/headings.tsx';
import { LadderHandle } from './canvas/ladder-handle.ts';
import { LaneTip } from './canvas/lane-tip.tsx';
import type {
  BandPrices,
  FromScene,
  LaneTarget,
  PriceAlert,
  SceneTool,
  SceneView,
  SceneWindow,
} from './canvas/scene-types.ts';
import { type CanvasTheme, faded, type LaneMark, readTheme } from './canvas/theme.ts';
import { LOOK } from './look.ts';
import { openMenu } from './menu/menu-target.ts';
import { ownName } from './own-text.ts';
import { PaneMessage } from './pane-message.tsx';
import { writeSweep } from './search.ts';

interface LadderProps {
  readonly name: string;
  readonly ladder: PlacedLadder;
}

/** The price that the pointer or the keyboard is on in one ladder: the others of its coin mark it. */
const usePointed = create<{ readonly coin: string; readonly index: number; readonly px: DecimalString | undefined }>()(
  () => ({ coin: '', index: -1, px: undefined }),
);

/** A ladder that the pointer leaves only clears its own price: another one may be pointed at by then. */
const point = (coin: string, index: number, px: DecimalString | undefined) =>
  usePointed.setState((last) => (px === undefined && last.index !== index ? last : { coin, index, px }));

/** Why a browser shows no ladder. */
const NO_CANVAS = 'this browser cannot draw the ladder, because it has no OffscreenCanvas (Safari before 16.4)';

/** A narrower ladder has no room for the map. */
const MAP_FROM = 520;

/**
 * The ladder: a canvas that the book's worker paints, and an invisible table over it with the same content for keyboards and screen
 * readers.
 */
export function Ladder({ name, ladder: { index, view, mode = 'auto', pane: paneRef } }: LadderProps) {
  const page = useBookPage();
  const { coin, tick, level: selected, paused, without, only, hasPanes, onLevel, onPassport, onSweep } = page;
  const crosshair = usePointed((at) => (at.coin === coin && at.index !== index ? at.px : undefined));
  const live = useLive();
  const density = usePreferences((state) => state.density);
  const [look] = useSettings(LOOK);
  // A window of its own is for one side's columns.
  const choice = useMemo(() => (hasPanes ? look : { ...look, layout: 'single' as const }), [look, hasPanes]);
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
        return onLevel(event.level);
      case 'order':
        return onPassport(event.level, event.oid);
      case 'crosshair':
        return point(coin, index, event.px);
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
  useBack(band?.kind === 'sweep', () => paneRef.current?.escape());
  const finger = useMedia(COARSE_POINTER);
  const rowHeight = density === 'comfortable' || finger ? 26 : 20;
  const marks = useMarks(live);
  const rules = useWatchRules((state) => state.rules);
  const alerts = useMemo(() => alertsOf(rules, coin), [rules, coin]);
  const recentre = () => paneRef.current?.run({ kind: 'recentre' });
  const options = useMemo(
    () => ({ tick, mode, rowHeight, choice, selected, marks, without, isAlone, crosshair, alerts, motion }),
    [tick, mode, rowHeight, choice, selected, marks, without, isAlone, crosshair, alerts, motion],
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
      point('', index, undefined);
    };
  }, [live, paneRef, index]);

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

/** The prices at which a rule of the coin fires. */
function alertsOf(rules: readonly KeptRule[], of: string): readonly PriceAlert[] {
  return rules.flatMap(({ coin, isOn, rule }) => (isOn && coin === of && rule.kind === 'price' ? [rule] : []));
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

/** A prominent notice that the ladder shows only one wallet, so that nobody takes it for the whole book. */
export function OnlyBand({ address }: { readonly address: Address }) {
  const { onOnly } = useBookPage();
  const wallet = useWallet(address);
  return (
    <output
      ref={passesFocus}
      data-part="only"
      data-toasts="above"
      className="absolute inset-x-2 bottom-2 flex min-h-(--control) items-center gap-2 rounded-4 border-2 border-stale bg-surface-2 pl-3 text-12 text-strong"
    >
      <span className="min-w-0">
        <strong className="font-semibold text-stale">NOT THE BOOK</strong>: only <WalletName wallet={wallet} />
        <span className="text-text max-sm:hidden">
          . Best prices, spread, panes and figures are of the whole book. Escape shows everybody again.
        </span>
      </span>
      <span className="ml-auto">
        <IconButton icon={X} name="Show everybody's orders again (Esc)" onClick={() => onOnly(undefined)} />
      </span>
    </output>
  );
}

export function WithoutBand({ address }: { readonly address: Address }) {
  const { onWithout } = useBookPage();
  const wallet = useWallet(address);
  return (
    <div
      ref={passesFocus}
      data-part="without"
      className="absolute bottom-2 left-4 flex h-(--control) max-w-[90%] items-center gap-2 rounded-4 border border-edge bg-surface-2 pl-3 text-12 text-text"
    >
      <span className="truncate">
        without <WalletName wallet={wallet} />
        <span className="max-sm:hidden">
          : numbers leave its orders out; spread, best prices and figures are of the whole book
        </span>
      </span>
      <IconButton icon={X} name="Show the whole book again" onClick={() => onWithout(undefined)} />
    </div>
  );
}

interface TouchChipsProps {
  readonly view: SceneView;
  /** Without colours, as the rows are. A filter around the chips would place them elsewhere. */
  readonly isFaded: boolean;
  readonly onRecentre: () => void;
}

function TouchChips(props: TouchChipsProps) {
  return (
    <>
      <TouchChip {...props} above />
      <TouchChip {...props} above={false} />
    </>
  );
}

function TouchChip({ view, isFaded, above, onRecentre }: TouchChipsProps & { readonly above: boolean }) {
  const { snapshot, rowsToTouch } = view;
  const isHere = (rows: number) => (above ? rows > 0 : rows < 0);
  const bid = isHere(rowsToTouch.bid) ? snapshot?.bid : undefined;
  const ask = isHere(rowsToTouch.ask) ? snapshot?.ask : undefined;
  const distances = [rowsToTouch.bid, rowsToTouch.ask].filter(isHere).map(Math.abs);
  if (distances.length === 0) return null;
  const name = bid !== undefined && ask !== undefined ? 'market' : bid !== undefined ? 'best bid' : 'best ask';
  const rows = Math.min(...distances);
  return (
    <button
      type="button"
      data-part="touch-chip"
      onClick={onRecentre}
      className={`absolute right-4 flex h-(--control) items-center gap-2 rounded-4 border border-edge bg-surface-2 px-3 text-12 text-text hover:text-strong ${above ? 'top-12' : 'bottom-2'} ${isFaded ? 'grayscale' : ''}`}
    >
      <span aria-hidden>{above ? '↑' : '↓'}</span>
      {name}{' '}
      <span className="num">
        {bid !== undefined && <span className="text-bid">{grouped(bid)}</span>}
        {bid !== undefined && ask !== undefined && ' / '}
        {ask !== undefined && <span className="text-ask">{grouped(ask)}</span>}
      </span>{' '}
      {rows} {rows === 1 ? 'row' : 'rows'} {above ? 'up' : 'down'}
      <kbd className="num text-11 text-dim pointer-coarse:hidden">Space</kbd>
    </button>
  );
}
