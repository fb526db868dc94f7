import type { L4Order, OrderStatus } from '@l4desk/protocol';
import type { CoinBlock, SourceBlock, WireFill } from '../feed/source.ts';
import { nanoTime } from '../market/wire.ts';

/** The three kinds of files that a node writes. */
export const NODE_STREAMS = ['fills', 'statuses', 'diffs'] as const;

export type NodeStream = (typeof NODE_STREAMS)[number];

/** One line per block, or one line per event. */
export type NodeFilesKind = 'by_block' | 'streaming';

/** Lines of each stream, without line ends. */
export type NodeLines = Readonly<Record<NodeStream, readonly string[]>>;

/**
 * The lines that a node writes for a block, all coins together: one line per file, even for a block without
 * events, or one line per event.
 */
export function linesOf(block: SourceBlock, coins: readonly string[], kind: NodeFilesKind): NodeLines {
  const parts = coins.flatMap((coin) => block.coin(coin) ?? []);
  const time = nanoTime(block.time, block.height);
  const line = (events: readonly unknown[]) =>
    JSON.stringify({ local_time: time, block_time: time, block_number: block.height, events });
  const lines = (eventsOf: (part: CoinBlock) => readonly unknown[]) => {
    const events = parts.flatMap(eventsOf);
    return kind === 'by_block' ? [line(events)] : events.map((event) => line([event]));
  };
  return {
    diffs: lines(({ diffs }) =>
      diffs.map(({ user, oid, coin, side, px, raw_book_diff }) => ({ user, oid, coin, side, px, raw_book_diff })),
    ),
    statuses: lines(({ statuses }) => statuses.map(toNodeStatus)),
    fills: lines(({ fills = [] }) => fills.flatMap(toNodeFills)),
  };
}

function toNodeStatus({ time, user, status, order }: OrderStatus): object {
  return { time, user, hash: NO_HASH, builder: null, status, order: toNodeOrder(order, order.sz) };
}

/** An order in the node's field order, with the fields that only a node prints. The owner is not part of it. */
export function toNodeOrder(order: L4Order, origSz: string): object {
  const { coin, side, limitPx, sz, oid, timestamp, triggerCondition, isTrigger, triggerPx } = order;
  const { isPositionTpsl, reduceOnly, orderType, tif, cloid } = order;
  const place = { coin, side, limitPx, sz, oid, timestamp, triggerCondition, isTrigger, triggerPx, children: [] };
  return { ...place, isPositionTpsl, reduceOnly, orderType, origSz, tif, cloid };
}

/** Both sides of a trade, the taker's first. */
function toNodeFills({ coin, px, sz, time, tid, taker, maker }: WireFill): readonly unknown[] {
  return [taker, maker].map((order) => [
    order.user,
    {
      coin,
      px,
      sz,
      side: order.side,
      time,
      startPosition: '0.0',
      dir: order.side === 'B' ? 'Buy' : 'Sell',
      closedPnl: '0.0',
      hash: NO_HASH,
      oid: order.oid,
      crossed: order === taker,
      fee: '0.0',
      tid,
      feeToken: 'USDC',
      twapId: null,
    },
  ]);
}

const NO_HASH = `0x${'0'.repeat(64)}`;
