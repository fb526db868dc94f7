import type { Address, DecimalString } from '@l4desk/protocol';
import { type ReactNode, useMemo, useRef } from 'react';
import { useLive, useLiveTicks } from '../../../book-worker/live-context.tsx';
import type { Figures, Sample } from '../../../book-worker/panes/figures.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { usePanes } from '../../../book-worker/use-panes.ts';
import { useSlowPane, useSlowResponse } from '../../../book-worker/use-slow-pane.ts';
import { classNames } from '../../../ui/class-names.ts';
import { columnDecimals, grouped, padded, shortAddress, wholeText } from '../../../ui/format.ts';
import { WithNumbers } from '../../../ui/with-numbers.tsx';
import { useWallet } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import {
  PaneText,
  SlowText,
  SteadyText,
  usePaneAttributes,
  usePointedTitle,
  useSlowAttributes,
} from '../live-text.tsx';
import { leanText, shareText } from '../owners/texts.ts';
import { DISTANCES } from '../search.ts';
import { Sparkline } from './draw-sparkline.tsx';

type Imbalance = Figures['imbalances'][number];

const LEANS = [-1, 1] as const;

/** Lengths of `100,000.000` and of `99 ticks`, in characters. */
const MICROPRICE_ROOM = 11;
const SPREAD_ROOM = 8;

const micropriceOf = ({ microprice }: Sample) => microprice;
const spreadOf = ({ spreadTicks }: Sample) => spreadTicks;
const topShareOf = ({ topShare }: Sample) => topShare;
const noValue = () => undefined;
const NO_SAMPLES: readonly Sample[] = [];
const LEAN_OF = DISTANCES.map(
  (_, index) =>
    ({ leans }: Sample) =>
      leans[index],
);

/** Figures of the shown book in one line, each with its last minutes. Numbers and hints are written outside React. */
export function FiguresStrip() {
  const tick = useLiveTicks()[0];
  const ask = useMemo(() => ({ tick }), [tick]);
  const known = useSlowPane('figures', ask, ({ figures }) => (figures?.figures === undefined ? 'none' : 'known'));
  const touch = usePanes((shown) => (shown.touch === null ? 'none' : shown.touch && 'known'));
  if (touch === 'none' || known === 'none')
    return <span className="text-dim">No figures: one side of the book is empty.</span>;
  if (known === undefined || touch === undefined) return <span className="text-dim">Reading the figures …</span>;
  return <FigureList tick={tick} />;
}

interface FigureListProps {
  /** The finest tick of the book. */
  readonly tick: string | undefined;
}

function FigureList({ tick }: FigureListProps) {
  const samples = useSlowResponse('figures', ({ figures }) => figures?.history) ?? NO_SAMPLES;
  const { without, only } = useBookPage();
  const list = useRef<HTMLDListElement>(null);
  usePaneAttributes(list, ({ height }) => ({ 'data-touch-height': height }));
  useSlowAttributes('figures', list, ({ figures }) => ({ 'data-height': figures?.height }));
  return (
    <dl
      ref={list}
      data-part="figures"
      className="flex h-[2lh] min-w-0 flex-wrap items-center gap-x-4 overflow-hidden text-11 max-lg:gap-x-3"
    >
      {(without ?? only) !== undefined && <WholeBook />}
      <Figure
        name="microprice"
        hint={() => "The mid weighted by the sizes of the other side's best price, of the block that the ladder shows"}
        value={<PaneText room={MICROPRICE_ROOM} read={(frame) => micropriceText(frame, tick)} />}
        chart={<Sparkline samples={samples} valueOf={micropriceOf} />}
      />
      <Figure
        name="spread"
        hint={({ spread, spreadBps }) =>
          `${spread}, ${spreadBps ?? '—'} bps; in ticks of the block that the ladder shows`
        }
        value={<PaneText room={SPREAD_ROOM} read={spreadText} />}
        chart={<Sparkline samples={samples} valueOf={spreadOf} />}
        look="max-md:hidden"
      />
      {DISTANCES.map((withinBps, index) => (
        <Figure
          key={withinBps}
          name={`±${withinBps} bps`}
          hint={({ imbalances }) => imbalanceHint(withinBps, imbalances[index])}
          value={
            <SlowText
              pane="figures"
              room={5}
              read={({ figures }) => imbalanceText(figures?.figures?.imbalances[index])}
            />
          }
          chart={<Sparkline samples={samples} valueOf={LEAN_OF[index] ?? noValue} bounds={LEANS} />}
          look={withinBps === '10' ? undefined : 'max-sm:hidden'}
        />
      ))}
      <Figure
        name="top owner ±10"
        hint={() => 'The wallet with most size on both sides within 10 bps of the mid, and its part of that'}
        value={<TopOwner />}
        chart={<Sparkline samples={samples} valueOf={topShareOf} />}
      />
      <SlowBlock />
    </dl>
  );
}

/** The block of the imbalances and the owner, which are not computed for every block; at the end, whatever the owner's name. */
function SlowBlock() {
  return (
    <div
      title="Imbalances and the top owner are added up four times a second; microprice and spread are of the shown block"
      className="ml-auto text-11 whitespace-nowrap text-dim max-md:hidden"
    >
      <dt>±bps, owner at block</dt>
      <dd>
        <SlowText pane="figures" read={({ figures }) => (figures === undefined ? '' : wholeText(figures.height))} />
      </dd>
    </div>
  );
}

/** Shown while the ladder excludes a wallet or shows only one: the figures still count the whole book. */
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

interface FigureProps {
  readonly name: string;
  readonly hint: (figures: Figures) => string;
  readonly value: ReactNode;
  readonly chart: ReactNode;
  readonly look?: string | undefined;
}

function Figure({ name, hint, value, chart, look }: FigureProps) {
  const live = useLive();
  const title = usePointedTitle(() => {
    const figures = live.slowPanes().figures?.figures?.figures;
    return figures && hint(figures);
  });
  return (
    <div {...title} className={classNames('grid grid-cols-[auto_auto] items-center gap-x-2 whitespace-nowrap', look)}>
      <dt className="text-dim">
        <WithNumbers text={name} />
      </dt>
      <dd className="num col-start-1 text-12" data-figure={name}>
        {value}
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1">{chart}</dd>
    </div>
  );
}

function TopOwner() {
  const user = useSlowResponse('figures', ({ figures }) => figures?.figures?.topOwner?.user);
  return user === undefined ? '—' : <NamedOwner user={user} />;
}

function NamedOwner({ user }: { readonly user: Address }) {
  const wallet = useWallet(user);
  const address = shortAddress(user);
  return (
    <span className="flex items-center gap-1.5">
      <SlowText pane="figures" read={topShareText} />
      {wallet.label === '' ? (
        <span className="private text-dim">
          <SteadyText room={address.length}>{address}</SteadyText>
        </span>
      ) : (
        <WalletName wallet={wallet} />
      )}
    </span>
  );
}

function topShareText({ figures }: PanesFrame): string {
  const owner = figures?.figures?.topOwner;
  return owner ? shareText(owner.share) : '';
}

function imbalanceText(imbalance: Imbalance | undefined): string {
  return imbalance === undefined ? '' : leanText(imbalance.lean);
}

function imbalanceHint(withinBps: string, imbalance: Imbalance | undefined): string {
  const sizes = imbalance === undefined ? '' : `, ${imbalance.bidSz} bid, ${imbalance.askSz} asked`;
  return `Imbalance within ${withinBps} bps of the mid: (bids − asks) ÷ (bids + asks)${sizes}`;
}

/** Decimals of the microprice beyond those of the tick: it always has as many, so that its digits keep their places. */
const MORE_DECIMALS = 3;

/** Shortens a price to this many decimals, or fills it up with zeros. */
function withDecimals(price: DecimalString, decimals: number): string {
  const excess = columnDecimals([price]) - decimals;
  return excess > 0 ? price.slice(0, price.length - excess) : padded(price, decimals);
}

function micropriceText({ touch }: PanesFrame, tick: string | undefined): string {
  if (!touch || tick === undefined) return '';
  return grouped(withDecimals(touch.microprice, columnDecimals([tick]) + MORE_DECIMALS));
}

function spreadText({ touch }: PanesFrame): string {
  if (!touch) return '';
  const { spread, spreadTicks } = touch;
  if (spreadTicks === null) return grouped(spread);
  return `${grouped(spreadTicks)} ${spreadTicks === '1' ? 'tick' : 'ticks'}`;
}
