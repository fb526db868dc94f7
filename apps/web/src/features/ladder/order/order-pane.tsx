import { sum } from '@l4desk/decimal';
import { type ReactNode, useRef, useState } from 'react';
import type { LifeData, LifeEvent, OrderLife } from '../../../book-worker/panes/past.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { useBook, useLive, usePane } from '../../../book-worker/use-book.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import {
  ageText,
  clockText,
  counted,
  decimalText,
  grouped,
  momentText,
  shortAddress,
  wholeText,
} from '../../../ui/format.ts';
import { passesFocus } from '../../../ui/pass-focus.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { AddressLine } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { FLOW_KINDS, kindText, sumText, whyText } from '../tape/texts.ts';
import { HELD_TITLE, useListHold } from '../use-list-hold.ts';

/** The life of the chosen order; until one is chosen, of that order of a watched wallet which changed last. */
export function OrderPane() {
  const { order } = useBookPage();
  const isWatching = useWalletBook(({ wallets }) => wallets.length > 0);
  if (order === undefined && !isWatching) {
    return (
      <PaneHint>
        Watch a wallet to read here the life of its order that changed last, or select an order on the tape, or press
        Life at one of a level.
      </PaneHint>
    );
  }
  return <Passport oid={order} isWatching={isWatching} />;
}

/** Without an oid, that order of a watched wallet which changed last; the pointer or the focus keeps it. */
function Passport({ oid: chosen, isWatching }: { readonly oid: number | undefined; readonly isWatching: boolean }) {
  const { coin, onLife, onNoOrder } = useBookPage();
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  const list = useRef<HTMLElement>(null);
  const isPointedAt = useListHold(list);
  const latest = usePane('life', { oid: chosen ?? null });
  const [shown, setShown] = useState(latest);
  const isHeld =
    isPointedAt && chosen === undefined && latest?.frozen === false && latest.generation === shown?.generation;
  if (!isHeld && shown !== latest) setShown(latest);
  const response = isHeld ? shown : latest;
  const oid = chosen ?? response?.oid ?? undefined;
  return (
    <section
      ref={list}
      aria-label={oid === undefined ? 'Order' : `Order ${oid}`}
      data-part="passport"
      data-oid={oid}
      data-following={chosen === undefined}
      data-height={response?.height}
      className="flex min-h-0 grow flex-col overflow-y-auto [scrollbar-gutter:stable] [scrollbar-width:thin]"
    >
      {/* Also until the first response, so that the button keeps the focus. */}
      {(oid !== undefined || response === undefined) && (
        <div ref={passesFocus} className="flex items-center gap-2 border-b border-line py-0.5 pr-1 pl-3">
          <h2 className="num font-semibold text-strong">{oid ?? '…'}</h2>
          {oid !== undefined && <CopyButton what="oid" text={() => String(oid)} />}
          {chosen === undefined && <span className="truncate text-12 text-dim">a watched wallet’s, changed last</span>}
          {isWatching && (
            <Button
              aria-pressed={chosen !== undefined}
              title={
                chosen === undefined
                  ? 'Keep this order here, whichever changes next'
                  : 'Let go of it: show the watched order that changed last'
              }
              onClick={() => (chosen === undefined ? oid !== undefined && onLife(oid) : onNoOrder())}
            >
              Keep
            </Button>
          )}
          {response !== undefined && (
            <OtherBlock
              height={response.height}
              title={isHeld ? HELD_TITLE : 'The life of the order is read five times a second'}
            />
          )}
        </div>
      )}
      {response === undefined ? (
        chosen !== undefined && (
          <PaneHint>
            Looking for order <span className="num text-12">{chosen}</span> in the {coin} book and its last minutes …
          </PaneHint>
        )
      ) : response.oid === null ? (
        <PaneHint>
          {isRecorded
            ? 'In a recording, choose an order to read its life here: on the tape, or by Life at one of a level.'
            : 'No order of a watched wallet has changed yet: the next one that does is shown here.'}
        </PaneHint>
      ) : response.life === null ? (
        <>
          <Unknown response={response} decimals={response.sizeDecimals} />
          <SeekRecorded key={response.oid} oid={response.oid} />
        </>
      ) : (
        <Life response={response} life={response.life} />
      )}
    </section>
  );
}

/** Only the part of a recording around the shown moment is read. */
function SeekRecorded({ oid }: { readonly oid: number }) {
  const live = useLive();
  const recording = useBook(({ status }) => status?.recorded?.name);
  const [state, setState] = useState<'idle' | 'seeking' | 'absent'>('idle');
  if (recording === undefined) return null;
  const seek = async () => {
    setState('seeking');
    setState((await live.call('seek', oid)) ? 'idle' : 'absent');
  };
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-3 pb-3">
      <Button look="plain" disabled={state === 'seeking'} onClick={() => void seek()}>
        Look through the whole recording
      </Button>
      <output className="text-dim">
        {state === 'seeking' && 'Reading …'}
        {state === 'absent' && `It is nowhere in ${recording}.`}
      </output>
    </p>
  );
}

interface UnknownProps {
  readonly response: LifeData;
  readonly decimals: number;
}

/** No change of the order is kept. It may rest anyway: nothing is kept of a book just built, and an order may leave in a gap. */
function Unknown({ response: { oid, now, first }, decimals }: UnknownProps) {
  const since =
    first === undefined ? 'the book was built' : `block ${wholeText(first.height)}, the oldest that is kept`;
  const text =
    now === null
      ? `No order ${oid} rests in this book, and none was seen since ${since}.`
      : `Order ${oid} rests in the shown book: ${placeText(now, decimals)}. No change of it is known since ${since}.`;
  return <p className="p-3 text-dim">{text}</p>;
}

function placeText({ sz, ordersAhead, szAhead }: NonNullable<LifeData['now']>, decimals: number): string {
  return `${decimalText(sz, decimals)}, ${counted(ordersAhead, 'order')} and ${decimalText(szAhead, decimals)} ahead`;
}

interface LifeProps {
  readonly response: PaneResult<'life'>;
  readonly life: OrderLife;
}

function Life({ response, life }: LifeProps) {
  const zone = usePreferences((state) => state.timeZone);
  const { now, first } = response;
  const { birth, end, events, order, gaps } = life;
  const decimals = response.sizeDecimals;
  return (
    <div ref={passesFocus} className="text-12">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 px-3 py-1">
        <Fact name="side, price">
          <span className={life.side === 'B' ? 'text-bid' : 'text-ask'}>{life.side === 'B' ? 'Bid' : 'Ask'}</span>{' '}
          {grouped(life.px)}
        </Fact>
        {life.user !== null && (
          <Fact name="owner">
            <AddressLine address={life.user} />
          </Fact>
        )}
        <Fact name="cloid">{life.cloid ?? 'none'}</Fact>
        {order !== null && (
          <Fact name="type">
            {order.orderType}
            {order.tif === null ? '' : `, ${order.tif}`}
            {order.reduceOnly ? ', reduce only' : ''}
          </Fact>
        )}
        <Fact name="born">
          {birth === null
            ? `${order === null ? '' : `${momentText(order.timestamp, zone)}, `}before what is kept${first === undefined ? '' : ` (block ${wholeText(first.height)})`}, or in a gap: its place then is unknown`
            : `block ${wholeText(birth.mark.height)}, ${momentText(birth.mark.time, zone)}`}
        </Fact>
        {birth !== null && (
          <Fact name="size, place then">
            {decimalText(birth.sz, decimals)}
            {birth.joined !== null &&
              `, ${counted(birth.joined.ordersAhead, 'order')} and ${decimalText(birth.joined.szAhead, decimals)} ahead`}
            {birth.replaces !== null && `; replaces ${birth.replaces}`}
            {birth.refill > 0 && `; refill ${birth.refill} after an execution`}
          </Fact>
        )}
        <Fact name="in the shown book">{now === null ? 'does not rest' : placeText(now, decimals)}</Fact>
        <Fact name="left">
          {end === null
            ? 'rests still'
            : `block ${wholeText(end.mark.height)}, ${momentText(end.mark.time, zone)}: ${kindText(end.kind, end.inferred)}. ${whyText(end)}`}
        </Fact>
        <Fact name="lifetime">{lifetimeText(life, response.height)}</Fact>
      </dl>
      {gaps.map((gap) => (
        <p key={gap.place} className="px-3 pb-1 text-stale">
          Gap in its life: blocks {wholeText(gap.from.height)} to {wholeText(gap.to.height)} were not seen. {gap.reason}
        </p>
      ))}
      {life.ahead !== null && <Ahead ahead={life.ahead} decimals={decimals} isOver={end !== null} />}
      <h3 className="border-t border-line px-3 pt-1 text-dim">What happened to it</h3>
      {events.length === 0 && <p className="px-3 pb-1 text-dim">Nothing, among the kept blocks.</p>}
      <ol className="px-3 pb-1">
        {events.map((event) => (
          <Happened key={`${event.place} ${event.index}`} event={event} decimals={decimals} />
        ))}
      </ol>
      {life.chain.length > 1 && <Chain life={life} decimals={decimals} />}
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="py-0.5 whitespace-nowrap text-dim">{name}</dt>
      <dd className="num min-w-0 py-0.5 wrap-anywhere">{children}</dd>
    </>
  );
}

/** `height` is the shown block's: an order that rests has lived up to it, whatever came after. */
function lifetimeText({ birth, order, end, lifetimeBlocks }: OrderLife, height: number): string {
  if (end !== null) {
    const blocks = lifetimeBlocks === null ? undefined : counted(lifetimeBlocks, 'block');
    const bornAt = birth?.mark.time ?? order?.timestamp;
    if (bornAt === undefined || bornAt > end.mark.time) return blocks ?? 'unknown';
    return `${ageText(end.mark.time - bornAt)}, ${blocks ?? 'blocks unknown'}`;
  }
  if (birth === null || lifetimeBlocks === null) return 'unknown';
  const blocks = height - birth.mark.height;
  return blocks < 0 ? 'begins after the shown block' : `${counted(blocks, 'block')} so far`;
}

function Happened({ event, decimals }: { readonly event: LifeEvent; readonly decimals: number }) {
  const live = useLive();
  const zone = usePreferences((state) => state.timeZone);
  const { mark, act, from, to } = event;
  return (
    <li className="flex flex-wrap items-center gap-x-2">
      <Button title="Show this block" onClick={() => live.travel({ kind: 'height', height: mark.height })}>
        <span className="num text-12">{clockText(mark.time, zone)}</span>
      </Button>
      <span className="whitespace-nowrap">{kindText(event.kind, event.inferred)}</span>
      <span className="num whitespace-nowrap">
        {act === 'insert'
          ? decimalText(to, decimals)
          : `${decimalText(from, decimals)} → ${act === 'remove' ? 'left' : decimalText(to, decimals)}`}
      </span>
      <span className="text-dim">{whyText(event)}</span>
    </li>
  );
}

function Chain({ life, decimals }: { readonly life: OrderLife; readonly decimals: number }) {
  const { onLife } = useBookPage();
  return (
    <>
      <h3 className="border-t border-line px-3 pt-1 text-dim">Under the same cloid, oldest first</h3>
      <ol className="px-3 pb-2">
        {life.chain.map(({ oid, px, sz, left, kind, inferred }) => (
          <li key={oid} data-oid={oid} className="flex items-center gap-x-3">
            <Button aria-current={oid === life.oid} disabled={oid === life.oid} onClick={() => onLife(oid)}>
              <span className="num text-12">{oid}</span>
            </Button>
            <span className="num">{grouped(px)}</span>
            <span className="num">{decimalText(sz, decimals)}</span>
            <span className="text-dim">{left === null || kind === null ? 'rests' : kindText(kind, inferred)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Orders ahead are listed up to this number; the sums count all of them. */
const LISTED = 20;

interface AheadProps {
  readonly ahead: NonNullable<OrderLife['ahead']>;
  readonly decimals: number;
  readonly isOver: boolean;
}

/** Who was ahead when the order joined, and what happened to them. */
function Ahead({ ahead: { atBirth, flow }, decimals, isOver }: AheadProps) {
  const moved = FLOW_KINDS.filter((kind) => flow[kind].count > 0);
  return (
    <section aria-label="Who was ahead" className="border-t border-line px-3 py-1">
      <h3 className="text-dim">Ahead when it joined, and what moved there {isOver ? 'until it left' : 'since'}</h3>
      <p className="num">
        {counted(atBirth.length, 'order')}, {decimalText(sum(atBirth.map(({ sz }) => sz)), decimals)}
        {moved.map((kind) => (
          <span key={kind} className="whitespace-nowrap">
            {' · '}
            {sumText(kind, flow[kind])} {decimalText(flow[kind].sz, decimals)}
          </span>
        ))}
      </p>
      <ol className="num text-dim">
        {atBirth.slice(0, LISTED).map(({ oid, user, sz }) => (
          <li key={oid} data-oid={oid} className="flex gap-x-3">
            <span>{oid}</span>
            <span className="private">{user === null ? 'not named' : shortAddress(user)}</span>
            <span className="ml-auto">{decimalText(sz, decimals)}</span>
          </li>
        ))}
        {atBirth.length > LISTED && <li>and {counted(atBirth.length - LISTED, 'more order')}</li>}
      </ol>
    </section>
  );
}
