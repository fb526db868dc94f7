import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLive } from '../../../book-worker/use-book.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { counted, grouped, wholeText } from '../../../ui/format.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useTime } from '../../../ui/use-time.ts';
import { markingsOf, type WalletMarking } from '../../../wallets/marks.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { OwnerName, WalletMark } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { readTheme } from '../canvas/theme.ts';
import { WorkerCanvas } from '../canvas/worker-canvas.ts';
import { PaneHint } from '../pane-hint.tsx';
import { ladderSearch } from '../search.ts';
import type { FromPrice, MapFacts, PointedAt, ToPrice } from './price-messages.ts';

const SPANS = [
  { value: '60000', text: '1 min' },
  { value: '300000', text: '5 min' },
  { value: '0', text: 'all', hint: 'Everything that the map has, half an hour at most' },
] as const;

type Span = (typeof SPANS)[number]['value'];

type PriceCanvas = WorkerCanvas<ToPrice, FromPrice>;

/** Px that the pointer moves while pressed before that is a drag. */
const DRAG_MIN = 6;

/** Px at each end of the time axis in which only the time of the end is written. */
const END_WIDTH = 88;

/** How far a key moves what is pointed at: columns to the right, and rows upward. */
const MOVES: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const at = ({ nativeEvent: { offsetX: x, offsetY: y } }: PointerEvent | MouseEvent) => ({ x, y });

const lookOf = (span: Span, marks: readonly WalletMarking[]): ToPrice => {
  return { kind: 'look', spanMs: Number(span), hues: marks.map(({ hue }) => hue) };
};

/** The kept minutes at a glance: resting size by price and time, the mid, and the prints. The book's worker paints them. */
export default function PricePane({ trailing }: { readonly trailing?: ReactNode }) {
  const live = useLive();
  const { onPane } = useBookPage();
  const { change } = usePageSearch(ladderSearch);
  /** Where the pointer went down last, and whether it was dragged from there. */
  const pressed = useRef<{ readonly x: number; readonly y: number; isDragged: boolean }>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<PriceCanvas>(undefined);
  const [span, setSpan] = useState<Span>('300000');
  const [facts, setFacts] = useState<MapFacts>();
  const [readout, setReadout] = useState<PointedAt>();
  const wallets = useWalletBook((state) => state.wallets);
  const marks = useMemo(() => [...markingsOf(wallets).values()], [wallets]);
  const post = (message: ToPrice) => canvas.current?.post(message);
  const firstLook = useEffectEvent(() => lookOf(span, marks));
  const onEvent = useEffectEvent((event: FromPrice) => {
    if (event.kind === 'readout') setReadout(event.readout);
    else if (event.kind === 'facts') setFacts(event.facts);
    else if (!event.isKept) toast('The map reaches back further than the book is kept: choose a later block.');
    else {
      live.travel({ kind: 'height', height: event.height });
      if (event.since === undefined) return;
      onPane('tape');
      change({ since: event.since });
    }
  });

  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const opened: PriceCanvas = new WorkerCanvas(box, live, {
      name: 'price',
      open: {},
      theme: () => readTheme(document.documentElement),
      onEvent: (event) => onEvent(event),
    });
    canvas.current = opened;
    opened.post(firstLook());
    return () => {
      canvas.current = undefined;
      opened.close();
    };
  }, [live]);

  useEffect(() => {
    canvas.current?.post(lookOf(span, marks));
  }, [span, marks]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && readout !== undefined) {
      event.stopPropagation();
      return post({ kind: 'point', at: undefined });
    }
    if (event.key === 'Enter' && event.shiftKey) {
      event.preventDefault();
      return post({ kind: readout?.span === undefined ? 'span' : 'choose', at: undefined });
    }
    const move = MOVES[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    post({ kind: 'move', columns: move[0] * by, rows: move[1] * by });
  };

  return (
    <section aria-label="Price" data-part="price-map" className="flex min-h-0 grow flex-col">
      <div className="flex items-center justify-between gap-2 border-b border-line py-0.5 pr-3 pl-1.5">
        <Segmented name="Time shown" value={span} options={SPANS} onChange={setSpan} />
        <ReadoutText readout={readout} />
        {trailing}
      </div>
      <div className="flex min-h-0 grow">
        <div className="relative min-w-0 grow overflow-hidden">
          <div ref={place} aria-hidden className="absolute inset-0" />
          <button
            type="button"
            data-arrows
            aria-label="Map of prices over time"
            aria-describedby="price-summary price-keys"
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              pressed.current = { ...at(event), isDragged: false };
            }}
            onPointerMove={(event) => {
              const from = pressed.current;
              const isPressed = from?.isDragged === false && (event.buttons & 1) === 1;
              if (isPressed && Math.abs(at(event).x - from.x) >= DRAG_MIN) {
                from.isDragged = true;
                post({ kind: 'span', at: { x: from.x, y: from.y } });
              }
              post({ kind: 'point', at: at(event) });
            }}
            onPointerUp={(event) => {
              // No click follows the drag of a finger.
              if (pressed.current?.isDragged) post({ kind: 'choose', at: at(event) });
            }}
            onPointerCancel={() => post({ kind: 'point', at: undefined })}
            onPointerLeave={() => post({ kind: 'point', at: undefined })}
            onClick={(event) => {
              if (event.detail === 0) post({ kind: 'choose', at: undefined });
              else if (pressed.current?.isDragged !== true) post({ kind: 'choose', at: at(event) });
            }}
            onKeyDown={onKeyDown}
            onBlur={() => post({ kind: 'point', at: undefined })}
            className="absolute inset-0 touch-pan-y cursor-crosshair -outline-offset-2"
          />
          <span id="price-keys" className="sr-only">
            Arrow keys move the crosshair, Enter shows the book at its block. Shift+Enter begins a span, Enter ends it
            and lists what changed.
          </span>
          {readout !== undefined && <Crosshair readout={readout} />}
          {facts === undefined && (
            <div className="pointer-events-none absolute inset-0 flex">
              <PaneHint>
                Resting size by price over the kept minutes, with the mid and the prints, is drawn here.
              </PaneHint>
            </div>
          )}
        </div>
        <PriceAxis facts={facts} readout={readout} marks={marks} />
      </div>
      <Summary facts={facts} />
    </section>
  );
}

interface PriceAxisProps {
  readonly facts: MapFacts | undefined;
  readonly readout: PointedAt | undefined;
  readonly marks: readonly WalletMarking[];
}

/** Beside the map: prices, the last mid, the price at the crosshair, and the wallets whose orders rest there in the newest block. */
function PriceAxis({ facts, readout, marks }: PriceAxisProps) {
  // At the edges labels move inwards, so that none is cut.
  const topAt = (y: string) => ({ top: `clamp(0.6lh, ${y}, calc(100% - 0.6lh))` });
  const topOf = (share: number) => topAt(`${(share * 100).toFixed(2)}%`);
  return (
    <div aria-hidden className="relative w-21 shrink-0 overflow-hidden border-l border-line [container-type:size]">
      <div className="absolute inset-0 hidden [@container_(min-height:3lh)]:block">
        {facts?.own.map(({ at: share, mark }) => {
          const wallet = marks[mark - 1]?.wallet;
          if (wallet === undefined) return null;
          return (
            <span
              key={`${mark} ${share}`}
              data-part="price-own"
              className="absolute left-1 inline-flex -translate-y-1/2"
              style={topOf(share)}
            >
              <WalletMark wallet={wallet} />
            </span>
          );
        })}
        {facts?.prices.map(({ at: share, px }) => (
          <span key={px} className="num absolute right-1 -translate-y-1/2 text-11 text-text" style={topOf(share)}>
            {grouped(px)}
          </span>
        ))}
        {facts?.last !== undefined && facts.lastAt !== undefined && (
          <span data-part="price-last" className={`${AXIS_TAG} border-edge`} style={topOf(facts.lastAt)}>
            {grouped(facts.last)}
          </span>
        )}
        {readout !== undefined && (
          <span data-part="price-pointed" className={`${AXIS_TAG} border-accent`} style={topAt(`${readout.y}px`)}>
            {grouped(readout.from)}
          </span>
        )}
      </div>
    </div>
  );
}

const AXIS_TAG =
  'num absolute right-0 -translate-y-1/2 rounded-4 border bg-surface-2 px-0.5 text-11 leading-4 text-strong';

/** Borders, because forced colours remove backgrounds. */
function Crosshair({ readout: { x, y, span } }: { readonly readout: PointedAt }) {
  return (
    <div aria-hidden data-part="price-crosshair" className="pointer-events-none absolute inset-0">
      {span !== undefined && (
        <span
          data-part="price-span"
          className="absolute inset-y-0 border-x border-accent"
          style={{ left: Math.min(x, span.x), width: Math.abs(x - span.x) }}
        >
          <span className="absolute inset-0 bg-accent opacity-15" />
        </span>
      )}
      <span className="absolute inset-y-0 border-l border-dashed border-accent" style={{ left: x }} />
      <span className="absolute inset-x-0 border-t border-dashed border-accent" style={{ top: y }} />
    </div>
  );
}

function sizeText({ bid, ask, own, isKnown }: PointedAt): string {
  const sizes = [bid && `bid ${grouped(bid)}`, ask && `ask ${grouped(ask)}`, own && `watched ${grouped(own)}`].filter(
    (text) => text !== undefined,
  );
  if (sizes.length > 0) return `${isKnown ? '' : '≥ '}${sizes.join(' · ')}`;
  return isKnown ? '—' : '?';
}

/** Parts without room are left out, the last one first. */
const READOUT_LINE = 'flex h-4 flex-wrap justify-end gap-x-2 overflow-hidden whitespace-nowrap';

/** Price, size, time, largest owner and block at the crosshair. */
function ReadoutText({ readout }: { readonly readout: PointedAt | undefined }) {
  const { clock } = useTime();
  if (readout === undefined)
    return <span className="truncate text-11 text-dim">A press shows that block, a drag what changed</span>;
  const { from, to, height, time, largest, span, isKept } = readout;
  return (
    <output
      data-part="price-readout"
      data-height={height}
      data-from={from}
      data-to={to}
      data-bid={readout.bid}
      data-ask={readout.ask}
      data-own={readout.own}
      data-known={readout.isKnown}
      className="num min-w-0 text-right text-11 leading-4 text-text"
    >
      <span className={READOUT_LINE}>
        <span className="text-strong">{from === to ? grouped(from) : `${grouped(from)} – ${grouped(to)}`}</span>{' '}
        <span>{sizeText(readout)}</span>
      </span>
      {span === undefined ? (
        <span className={READOUT_LINE}>
          <span className={isKept ? 'text-dim' : 'text-stale'}>
            {clock(time)}
            {!isKept && ' · the book is no longer kept here'}
          </span>{' '}
          {largest !== undefined && (
            <span data-part="price-largest" data-user={largest.user} data-sz={largest.sz} data-px={largest.px}>
              largest <OwnerName user={largest.user} hasHint={false} /> {grouped(largest.sz)}
              {from !== to && ` at ${grouped(largest.px)}`}
            </span>
          )}{' '}
          <span className="text-dim">block {wholeText(height)}</span>
        </span>
      ) : (
        <span className="block truncate text-dim">
          what changed from {clock(Math.min(time, span.time))} to {clock(Math.max(time, span.time))}
        </span>
      )}
    </output>
  );
}

/** Below the map the times at its ends and between them, then the map in words. */
function Summary({ facts }: { readonly facts: MapFacts | undefined }) {
  const { clock, zoneAt } = useTime();
  const value = (px: string | undefined) => (px === undefined ? '—' : grouped(px));
  const toSecond = (at: number) => clock(at).slice(0, 8);
  return (
    <div className="num border-t border-line text-11 text-dim">
      <p aria-hidden data-part="price-times" className="relative mr-21 h-4 whitespace-nowrap">
        {facts !== undefined && (
          <>
            {facts.times.map(({ x, time }) => (
              <span key={time} data-time={time} className="absolute inset-y-0" style={{ left: x }}>
                <span className="absolute h-1 border-l border-edge" />
                {/* Only where it leaves room for the ends. */}
                <span
                  className="absolute -translate-x-1/2"
                  style={{ display: x < END_WIDTH || x > facts.width - END_WIDTH ? 'none' : undefined }}
                >
                  {time % 60_000 === 0 ? toSecond(time).slice(0, 5) : toSecond(time)}
                </span>
              </span>
            ))}
            <span className="absolute left-1">{toSecond(facts.from)}</span>
            <span className="absolute right-0">{toSecond(facts.to)}</span>
            <span className="absolute left-full pl-1">{zoneAt(facts.to)}</span>
          </>
        )}
      </p>
      <p id="price-summary" data-part="price-summary" className="min-h-5 px-3 pb-0.5">
        {facts !== undefined && (
          <>
            {`mid ${value(facts.first)} to ${value(facts.last)} · high ${value(facts.high)} · low ${value(facts.low)} · ${facts.hasMorePrints ? '≥ ' : ''}${counted(
              facts.prints,
              'print',
            )}`}
            <span className="sr-only">{` · ${clock(facts.from)} to ${clock(facts.to)} ${zoneAt(facts.to)}`}</span>
            {facts.keptFrom !== undefined &&
              facts.keptFrom > facts.from &&
              ` · book kept from ${clock(facts.keptFrom)}`}
          </>
        )}
      </p>
    </div>
  );
}
