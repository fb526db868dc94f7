import { type Ref, useEffect, useImperativeHandle, useState } from 'react';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { usePanes } from '../../../book-worker/use-book.ts';
import { counted, decimalText, grouped, secondsText, shortAddress, wholeText } from '../../../ui/format.ts';
import { letterOf } from '../../../wallets/marks.ts';
import { useWallet } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import type { LaneTarget } from './pane-types.ts';
import { TIP_HEIGHT, TIP_WIDTH, tipPlace } from './tip-place.ts';

/** Receives the order that is pointed at. */
export interface LaneTipHandle {
  show(target: LaneTarget | undefined): void;
}

interface LaneTipProps {
  /** Size of the canvas, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly ref: Ref<LaneTipHandle>;
}

/** An order, with the frame of its response. */
interface Shown {
  readonly target: LaneTarget;
  readonly frame: PanesFrame;
}

/** Shows the owner, size, place and age of the order pointed at, and what is ahead of it. */
export function LaneTip({ width, height, ref }: LaneTipProps) {
  const [target, setTarget] = useState<LaneTarget>();
  useImperativeHandle(ref, () => ({ show: setTarget }), []);
  return (
    <>
      {target !== undefined && <Tip target={target} width={width} height={height} />}
      <Spoken target={target?.by === 'keyboard' ? target : undefined} />
    </>
  );
}

/** The last order stays until the next response arrives, so that nothing flickers on the way along a lane. */
function Tip({ target, width, height }: { readonly target: LaneTarget } & Omit<LaneTipProps, 'ref'>) {
  const frame = usePanes((now) => now);
  const [shown, setShown] = useState<Shown>();
  const isKnown = frame !== undefined && frame.lane?.serial === target.serial;
  if (isKnown && (shown?.target !== target || shown.frame !== frame)) setShown({ target, frame });
  if (shown === undefined) return null;
  const { left, top } = tipPlace(shown.target, width, height);
  return (
    <div
      aria-hidden
      data-part="lane-tip"
      data-oid={shown.frame.lane?.order?.oid}
      data-place={shown.frame.lane?.order?.place}
      className="pointer-events-none absolute z-10 flex flex-col justify-center gap-0.5 overflow-hidden rounded-4 border border-edge bg-surface-2 px-2 text-12 text-text"
      style={{ left, top, width: TIP_WIDTH, height: TIP_HEIGHT }}
    >
      <TipText {...shown} />
    </div>
  );
}

function TipText({ target, frame }: Shown) {
  const { lane, sizeDecimals, clock } = frame;
  const order = lane?.order;
  if (lane === undefined || order === undefined || order === null) {
    return (
      <p className="text-dim">
        This order has left <span className="num">{grouped(target.level.px)}</span>.
      </p>
    );
  }
  const age = order.timestamp === 0 ? 'age unknown' : `${secondsText(clock - order.timestamp)} old`;
  return (
    <>
      <p className="flex items-center justify-between gap-2">
        <TipOwner user={order.user} />
        <span className="num whitespace-nowrap">
          {wholeText(order.place + 1)} of {wholeText(lane.count)}
        </span>
      </p>
      <p className="flex justify-between gap-2">
        <span className="num text-strong">{decimalText(order.sz, sizeDecimals)}</span>
        <span className="num whitespace-nowrap text-dim">{age}</span>
      </p>
      <p className="num flex justify-between gap-2 text-dim">
        <span>{order.place === 0 ? 'front of the queue' : `${decimalText(order.szAhead, sizeDecimals)} ahead`}</span>
        <span>{grouped(order.px)}</span>
      </p>
    </>
  );
}

function TipOwner({ user }: { readonly user: string }) {
  const wallet = useWallet(user.toLowerCase() as Parameters<typeof useWallet>[0]);
  if (user === '') return <span className="text-dim">owner unknown</span>;
  return wallet.label === '' && letterOf(wallet) === '' ? (
    <span className="num">{shortAddress(user)}</span>
  ) : (
    <WalletName wallet={wallet} />
  );
}

/** A screen reader announces an order once the keyboard has been on it for this long. */
const SPOKEN_AFTER_MS = 150;

/** Announces the keyboard's order, once per order and not with every block. */
function Spoken({ target }: { readonly target: LaneTarget | undefined }) {
  const text = usePanes((frame) => wordsOf(frame, target));
  const oid = usePanes((frame) => (frame.lane?.serial === target?.serial ? frame.lane?.order?.oid : undefined));
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (target === undefined || oid === undefined) return undefined;
    const timer = setTimeout(() => setSaid(text ?? ''), SPOKEN_AFTER_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- what is said is as of the moment it was come to
  }, [target?.serial, oid]);
  return (
    <p className="sr-only" aria-live="polite" data-part="lane-spoken">
      {target === undefined ? '' : said}
    </p>
  );
}

function wordsOf({ lane, sizeDecimals, clock }: PanesFrame, target: LaneTarget | undefined): string {
  if (target === undefined || lane?.serial !== target.serial || lane.order === null) return '';
  const { place, sz, szAhead, timestamp, user } = lane.order;
  const age = timestamp === 0 ? '' : `, ${secondsText(clock - timestamp)} old`;
  const ahead =
    place === 0 ? 'at the front' : `${decimalText(szAhead, sizeDecimals)} ahead in ${counted(place, 'order')}`;
  return `Order ${place + 1} of ${lane.count}, ${decimalText(sz, sizeDecimals)}, ${shortAddress(user)}${age}, ${ahead}`;
}
