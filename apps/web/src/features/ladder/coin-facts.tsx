import { basisPoints } from '@l4desk/decimal';
import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { midText } from '../../book-worker/mid-text.ts';
import { useBook } from '../../book-worker/use-book.ts';
import { grouped } from '../../ui/format.ts';
import { PriceTag } from '../../ui/price-tag.tsx';

/** Beside a coin in the picker: mid and spread of the followed book, or the last loaded mid of any other coin. */
export function CoinFacts({ coin }: { readonly coin: string }) {
  const bid = useBook(({ status }) => (status?.coin === coin ? status.best.bid : undefined));
  const ask = useBook(({ status }) => (status?.coin === coin ? status.best.ask : undefined));
  const tick = useBook(({ status }) => status?.ticks[0]);
  const loaded = useQuery({ ...metaAndAssetCtxsQuery, enabled: false, select: (data) => midOf(data, coin) }).data;
  if (bid !== undefined && ask !== undefined) {
    return (
      <span className="num ml-auto text-12 text-dim">
        {midText({ bid, ask }, tick)} · {basisPoints(bid, ask, 2) ?? '?'} bps
      </span>
    );
  }
  return loaded === undefined ? null : <span className="num ml-auto text-12 text-dim">{grouped(loaded)}</span>;
}

function midOf(
  [{ universe }, contexts]: Awaited<ReturnType<NonNullable<typeof metaAndAssetCtxsQuery.queryFn>>>,
  coin: string,
) {
  return contexts[universe.findIndex(({ name }) => name === coin)]?.midPx ?? undefined;
}

/** The cost of following a coin, and a button that loads all prices. */
export function PickerFooter() {
  const { data, isFetching, refetch } = useQuery({ ...metaAndAssetCtxsQuery, enabled: false });
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-2 border-t border-line px-2 pt-1.5 text-12 text-dim">
      <span>
        following: <PriceTag credits={INFO_CREDITS.l4BookSnapshot + TARIFF.l4BookUpdatesPerCoinMinute} short /> then{' '}
        {TARIFF.l4BookUpdatesPerCoinMinute} cr/min
      </span>
      <button
        type="button"
        className="underline underline-offset-2"
        disabled={isFetching}
        onClick={() => void refetch()}
      >
        {data === undefined ? 'Load prices' : 'Reload prices'}{' '}
        <PriceTag credits={INFO_CREDITS.metaAndAssetCtxs} short />
      </button>
    </p>
  );
}
