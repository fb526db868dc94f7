import type { DecimalString } from '@l4desk/protocol';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useLiveTicks } from '../../../book-worker/live-context.tsx';
import type { Figures } from '../../../book-worker/panes/figures.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { usePanes } from '../../../book-worker/use-panes.ts';
import { useSlowPane } from '../../../book-worker/use-slow-pane.ts';
import { classNames } from '../../../ui/class-names.ts';
import { grouped, shortAddress, wholeText } from '../../../ui/format.ts';
import { useWallet } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { PaneText, usePaneAttributes } from '../live-text.tsx';
import { leanText, shareText } from '../owners/texts.ts';
import { DISTANCES } from '../search.ts';
import { SteadyText } from '../steady-text.tsx';
import { Sparkline } from './draw-sparkline.tsx';
import { type Sample, withSample } from './history.ts';

const LEANS = [-1, 1] as const;

/** The lines are a pixel a second: they are drawn no more often. */
const DRAWN_EVERY_MS = 1_000;

/** Characters of `100,000.000`, and of `99 ticks`. */
const MICROPRICE_ROOM = 11;
const SPREAD_ROOM = 8;

const micropriceOf = ({ microprice }: Sample) => microprice;
const spreadOf = ({ spreadTicks }: Sample) => spreadTicks;
const topShareOf = ({ topShare }: Sample) => topShare;
const noValue = () => undefined;
const LEAN_OF = DISTANCES.map(
  (_, index) =>
    ({ leans }: Sample) =>
      leans[index],
);

/** Figures of the shown book in one line, each with its last minute. */
export function FiguresStrip() {
  const tick = useLiveTicks()[0];
  const frame = useSlowPane(
    'figures',
    useMemo(() => ({ tick }), [tick]),
  );
  const history = useHistory(frame);
  const touch = usePanes((shown) => (shown.touch === null ? 'none' : shown.touch && 'known'));
  const { without, only } = useBookPage();
  const list = useRef<HTMLDListElement>(null);
  usePaneAttributes(list, ({ height }) => ({ 'data-touch-height': height }));
  const response = frame?.figures;
  const figures = response?.figures;
  if (touch === 'none' || (response !== undefined && figures === undefined))
    return <span className="text-dim">No figures: one side of the book is empty.</span>;
  if (response === undefined || figures === undefined || touch === undefined)
    return <span className="text-dim">Reading the figures …</span>;
  return (
    <dl
      ref={list}
      data-part="figures"
      data-height={response.height}
      className="flex h-[2lh] min-w-0 flex-wrap items-center gap-x-5 overflow-hidden text-11"
    >
      {(without ?? only) !== undefined && <WholeBook />}
      <Figure
        name="microprice"
        hint="The mid weighted by the sizes of the other side's best price, of the block that the ladder shows"
        value={
          <Room characters={MICROPRICE_ROOM}>
            <PaneText read={micropriceText} />
          </Room>
        }
        chart={<Sparkline history={history} valueOf={micropriceOf} />}
      />
      <Figure
        name="spread"
        hint={`${figures.spread}, ${figures.spreadBps ?? '—'} bps; in ticks of the block that the ladder shows`}
        value={
          <Room characters={SPREAD_ROOM}>
            <PaneText read={spreadText} />
          </Room>
        }
        chart={<Sparkline history={history} valueOf={spreadOf} />}
        look="max-sm:hidden"
      />
      {figures.imbalances.map(({ withinBps, lean, bidSz, askSz }, index) => (
        <Figure
          key={withinBps}
          name={`±${withinBps} bps`}
          hint={`Imbalance within ${withinBps} bps of the mid: (bids − asks) ÷ (bids + asks), ${bidSz} bid, ${askSz} asked`}
          value={<SteadyText>{leanText(lean)}</SteadyText>}
          chart={<Sparkline history={history} valueOf={LEAN_OF[index] ?? noValue} bounds={LEANS} />}
          look={withinBps === '10' ? undefined : 'max-sm:hidden'}
        />
      ))}
      <Figure
        name="top owner ±10"
        hint="The wallet with most size on both sides within 10 bps of the mid, and its part of that"
        value={<TopOwner owner={figures.topOwner} />}
        chart={<Sparkline history={history} valueOf={topShareOf} />}
      />
      <SlowBlock height={response.height} />
    </dl>
  );
}

/** What stands behind a text rests while the text has fewer characters, or more again. */
function Room({ characters, children }: { readonly characters: number; readonly children: ReactNode }) {
  return (
    <span className="inline-block" style={{ minWidth: `${characters}ch` }}>
      {children}
    </span>
  );
}

/** The block of imbalances and owner, which are not added up for each one. */
function SlowBlock({ height }: { readonly height: number }) {
  return (
    <div
      title="Imbalances and the top owner are added up four times a second; microprice and spread are of the shown block"
      className="text-11 whitespace-nowrap text-dim max-xl:hidden"
    >
      <dt>±bps, owner of</dt>
      <dd>
        <SteadyText>{wholeText(height)}</SteadyText>
      </dd>
    </div>
  );
}

/** While the ladder leaves a wallet out, or shows one alone: the figures do not. */
function WholeBook() {
  return (
    <div
      data-part="whole-book"
      title="Microprice, spread, imbalances and the top owner count every order"
      className="rounded-4 border border-edge px-2 text-12 whitespace-nowrap text-stale"
    >
      <dt className="sr-only">These figures</dt>
      <dd>whole book</dd>
    </div>
  );
}

/** The samples of the last minute as they are to be drawn, as long as the strip is open and the coin the same. */
function useHistory(frame: PanesFrame | undefined): readonly Sample[] {
  const [kept, setKept] = useState<Kept>({ frame: undefined, history: [], drawn: [] });
  if (frame === kept.frame) return kept.drawn;
  const isOther = frame?.coin !== kept.frame?.coin || frame?.epoch !== kept.frame?.epoch;
  const before = isOther ? [] : kept.history;
  const history = frame?.figures === undefined ? before : withSample(before, frame.figures);
  const passed = (history.at(-1)?.time ?? 0) - (kept.drawn.at(-1)?.time ?? 0);
  const drawn = isOther || passed < 0 || passed >= DRAWN_EVERY_MS ? history : kept.drawn;
  setKept({ frame, history, drawn });
  return drawn;
}

interface Kept {
  readonly frame: PanesFrame | undefined;
  readonly history: readonly Sample[];
  readonly drawn: readonly Sample[];
}

interface FigureProps {
  readonly name: string;
  readonly hint: string;
  readonly value: ReactNode;
  readonly chart: ReactNode;
  readonly look?: string | undefined;
}

function Figure({ name, hint, value, chart, look }: FigureProps) {
  return (
    <div title={hint} className={classNames('grid grid-cols-[auto_auto] items-center gap-x-2 whitespace-nowrap', look)}>
      <dt className="text-dim">{name}</dt>
      <dd className="num col-start-1 text-12" data-figure={name}>
        {value}
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1">{chart}</dd>
    </div>
  );
}

function TopOwner({ owner }: { readonly owner: Figures['topOwner'] }) {
  return owner === null ? '—' : <NamedOwner user={owner.user} share={owner.share} />;
}

function NamedOwner({ user, share }: NonNullable<Figures['topOwner']>) {
  const wallet = useWallet(user);
  return (
    <span className="flex items-center gap-1.5">
      <SteadyText>{shareText(share)}</SteadyText>
      {wallet.label === '' ? (
        <span className="private text-dim">{shortAddress(user)}</span>
      ) : (
        <WalletName wallet={wallet} />
      )}
    </span>
  );
}

/** A price without the digits that are finer than two more than the mid's. */
function shortened(price: DecimalString, mid: DecimalString): string {
  const decimals = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
  const excess = decimals(price) - decimals(mid) - 2;
  return excess > 0 ? price.slice(0, price.length - excess) : price;
}

function micropriceText({ touch }: PanesFrame): string {
  return touch ? grouped(shortened(touch.microprice, touch.mid)) : '';
}

function spreadText({ touch }: PanesFrame): string {
  if (!touch) return '';
  const { spread, spreadTicks } = touch;
  if (spreadTicks === null) return grouped(spread);
  return `${grouped(spreadTicks)} ${spreadTicks === '1' ? 'tick' : 'ticks'}`;
}
