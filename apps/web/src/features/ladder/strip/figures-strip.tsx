import type { DecimalString } from '@l4desk/protocol';
import type { ReactNode } from 'react';
import type { Figures, Sample } from '../../../book-worker/panes/figures.ts';
import { useLiveTicks, usePane } from '../../../book-worker/use-book.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Digits } from '../../../ui/digits.tsx';
import { columnDecimals, grouped, padded, shortAddress } from '../../../ui/format.ts';
import { GROUP_OF_HINTS } from '../../../ui/group-of-hints.ts';
import { useWallet } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { OtherBlock } from '../other-block.tsx';
import { leanText, shareText } from '../owners/texts.ts';
import { DISTANCES } from '../search.ts';
import { Sparkline } from './draw-sparkline.tsx';

type Imbalance = Figures['imbalances'][number];

const LEANS = [-1, 1] as const;

const NOTHING = {};

const micropriceOf = ({ microprice }: Sample) => microprice;
const spreadOf = ({ spreadTicks }: Sample) => spreadTicks;
const topShareOf = ({ topShare }: Sample) => topShare;

export function FiguresStrip() {
  const { without, only } = useBookPage();
  const tick = useLiveTicks()[0];
  const response = usePane('figures', NOTHING);
  if (response === undefined) return <span className="text-dim">No figures yet</span>;
  const { figures, history: samples, height } = response;
  if (figures === undefined) return <span className="text-dim">No figures: one side of the book is empty.</span>;
  return (
    <dl
      {...GROUP_OF_HINTS}
      aria-label="Figures"
      data-part="figures"
      data-height={height}
      className="flex h-[2lh] min-w-0 flex-wrap items-center gap-x-4 overflow-hidden text-11 max-lg:gap-x-3"
    >
      {(without ?? only) !== undefined && <WholeBook />}
      <Figure
        name="microprice"
        hint="the mid weighted by the sizes of the other side's best price"
        value={<Digits room={11}>{micropriceText(figures, tick)}</Digits>}
        chart={<Sparkline samples={samples} valueOf={micropriceOf} />}
      />
      <Figure
        name="spread"
        hint={`best ask minus best bid, ${figures.spread}, ${figures.spreadBps ?? '—'} bps; in ticks`}
        value={<Digits room={8}>{spreadText(figures)}</Digits>}
        chart={<Sparkline samples={samples} valueOf={spreadOf} />}
        look="max-md:hidden"
      />
      {DISTANCES.map((withinBps, index) => (
        <Figure
          key={withinBps}
          name={`±${withinBps} bps`}
          hint={imbalanceHint(figures.imbalances[index])}
          value={<Digits room={5}>{imbalanceText(figures.imbalances[index])}</Digits>}
          chart={<Sparkline samples={samples} valueOf={({ leans }) => leans[index]} bounds={LEANS} />}
          look={withinBps === '10' ? undefined : 'max-sm:hidden'}
        />
      ))}
      <Figure
        name="top owner ±10"
        hint="the wallet with most size on both sides within 10 bps of the mid, and its part of that"
        value={figures.topOwner ? <TopOwner {...figures.topOwner} /> : '—'}
        chart={<Sparkline samples={samples} valueOf={topShareOf} />}
      />
      {/* At the end, whatever the owner's name. */}
      <div className="ml-auto max-md:hidden">
        <dt className="sr-only">block</dt>
        <dd>
          <OtherBlock height={height} title="The block of all these figures" />
        </dd>
      </div>
    </dl>
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
  readonly hint: string;
  readonly value: ReactNode;
  readonly chart: ReactNode;
  readonly look?: string | undefined;
}

function Figure({ name, hint, value, chart, look }: FigureProps) {
  return (
    <div
      title={`${name}: ${hint}`}
      className={classNames('grid grid-cols-[auto_auto] items-center gap-x-2 whitespace-nowrap', look)}
    >
      <dt className="text-dim">{name}</dt>
      <dd className="num col-start-1 text-12" data-figure={name}>
        {value}
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1">{chart}</dd>
    </div>
  );
}

function TopOwner({ user, share }: NonNullable<Figures['topOwner']>) {
  const wallet = useWallet(user);
  return (
    <span className="flex items-center gap-1.5">
      {shareText(share)}
      {wallet.label === '' ? (
        <span className="private text-dim">{shortAddress(user)}</span>
      ) : (
        <WalletName wallet={wallet} />
      )}
    </span>
  );
}

function imbalanceText(imbalance: Imbalance | undefined): string {
  return imbalance === undefined ? '' : leanText(imbalance.lean);
}

function imbalanceHint(imbalance: Imbalance | undefined): string {
  const sizes = imbalance === undefined ? '' : `, ${imbalance.bidSz} bid, ${imbalance.askSz} asked`;
  return `imbalance of what rests this near to the mid, (bids − asks) ÷ (bids + asks)${sizes}`;
}

/** Decimals of the microprice beyond those of the tick: it always has as many, so that its digits keep their places. */
const MORE_DECIMALS = 3;

/** Shortens a price to this many decimals, or fills it up with zeros. */
function withDecimals(price: DecimalString, decimals: number): string {
  const excess = columnDecimals([price]) - decimals;
  return excess > 0 ? price.slice(0, price.length - excess) : padded(price, decimals);
}

function micropriceText(touch: Figures, tick: string | undefined): string {
  if (tick === undefined) return '';
  return grouped(withDecimals(touch.microprice, columnDecimals([tick]) + MORE_DECIMALS));
}

function spreadText({ spread, spreadTicks }: Figures): string {
  if (spreadTicks === null) return grouped(spread);
  return `${grouped(spreadTicks)} ${spreadTicks === '1' ? 'tick' : 'ticks'}`;
}
