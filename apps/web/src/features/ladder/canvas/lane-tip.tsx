import { useEffect, useEffectEvent, useState } from 'react';
import { counted, decimalText, grouped, secondsText, shortAddress, wholeText } from '../../../ui/format.ts';
import { letterOf } from '../../../wallets/marks.ts';
import { useWallet } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import { HEADING } from './paint-lines.ts';
import type { LaneTarget } from './scene-types.ts';

interface LaneTipProps {
  /** Size of the canvas, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly target: LaneTarget | undefined;
}

export function LaneTip({ width, height, target }: LaneTipProps) {
  return (
    <>
      {target !== undefined && <Tip target={target} width={width} height={height} />}
      <Spoken target={target?.by === 'keyboard' ? target : undefined} />
    </>
  );
}

function Tip({ target, width, height }: LaneTipProps & { readonly target: LaneTarget }) {
  const { left, top } = tipPlace(target, width, height);
  return (
    <div
      aria-hidden
      data-part="lane-tip"
      data-oid={target.order?.oid}
      data-place={target.order?.place}
      className="pointer-events-none absolute z-10 flex flex-col justify-center gap-0.5 overflow-hidden rounded-4 border border-edge bg-surface-2 px-2 text-12 text-text"
      style={{ left, top, width: TIP_WIDTH, height: TIP_HEIGHT }}
    >
      <TipText {...target} />
    </div>
  );
}

function TipText({ level, order, count, sizeDecimals, ageMs }: LaneTarget) {
  if (order === null) {
    return (
      <p className="text-dim">
        This order has left <span className="num">{grouped(level.px)}</span>.
      </p>
    );
  }
  return (
    <>
      <p className="flex items-center justify-between gap-2">
        <TipOwner user={order.user} />
        <span className="num whitespace-nowrap">
          {wholeText(order.place + 1)} of {wholeText(count)}
        </span>
      </p>
      <p className="flex justify-between gap-2">
        <span className="num text-strong">{decimalText(order.sz, sizeDecimals)}</span>
        <span className="num whitespace-nowrap text-dim">
          {ageMs === undefined ? 'age unknown' : `${secondsText(ageMs)} old`}
        </span>
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
  const [announced, setAnnounced] = useState('');
  const say = useEffectEvent(() => setAnnounced(target === undefined ? '' : wordsOf(target)));
  const serial = target?.order === null ? undefined : target?.serial;
  useEffect(() => {
    if (serial === undefined) return undefined;
    const timer = setTimeout(() => say(), SPOKEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [serial]);
  return (
    <p className="sr-only" aria-live="polite" data-part="lane-spoken">
      {target === undefined ? '' : announced}
    </p>
  );
}

function wordsOf({ order, count, sizeDecimals, ageMs }: LaneTarget): string {
  if (order === null) return '';
  const { place, sz, szAhead, user } = order;
  const age = ageMs === undefined ? '' : `, ${secondsText(ageMs)} old`;
  const ahead =
    place === 0 ? 'at the front' : `${decimalText(szAhead, sizeDecimals)} ahead in ${counted(place, 'order')}`;
  return `Order ${place + 1} of ${count}, ${decimalText(sz, sizeDecimals)}, ${shortAddress(user)}${age}, ${ahead}`;
}

/** The tip has a fixed size, so that it does not jump when its text changes. */
export const TIP_WIDTH = 248;
export const TIP_HEIGHT = 68;

/** Gap between the tip and its row, and between the tip and the canvas's edges. */
const GAP = 4;

/**
 * Position of an order's tip: away from the market, over the outer rows. It covers neither the best prices nor its own row as
 * long as there is a place that avoids both.
 */
export function tipPlace(
  { level, y, rowHeight, x, touch }: Pick<LaneTarget, 'level' | 'y' | 'rowHeight' | 'x' | 'touch'>,
  width: number,
  height: number,
): { readonly left: number; readonly top: number } {
  const above = y - TIP_HEIGHT - GAP;
  const below = y + rowHeight + GAP;
  const isFree = (top: number) =>
    top >= HEADING &&
    top + TIP_HEIGHT <= height &&
    (top + TIP_HEIGHT <= y || top >= y + rowHeight) &&
    (touch === undefined || top + TIP_HEIGHT <= touch.top || top >= touch.bottom);
  const outward = level.side === 'A' ? [above, below] : [below, above];
  const beyond = touch === undefined ? [] : [touch.bottom + GAP, touch.top - TIP_HEIGHT - GAP];
  const top = [...outward, ...beyond, HEADING + GAP, height - TIP_HEIGHT - GAP].find(isFree) ?? HEADING + GAP;
  return { left: Math.max(GAP, Math.min(x, width - TIP_WIDTH - GAP)), top };
}
