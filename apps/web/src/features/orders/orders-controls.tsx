import { BarChart3, ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ColumnChooser } from '../../ui/table/column-chooser.tsx';
import { useWalletBook } from '../../wallets/wallet-book.ts';
import { WalletPicker } from '../../wallets/wallet-picker.tsx';
import { exportColumns } from './export-columns.ts';
import { SavedViews } from './saved-views.tsx';
import { type OrdersView, VIEWS } from './search.ts';
import type { Orders } from './use-orders.ts';

export const VIEW_TEXTS: Readonly<Record<OrdersView, { readonly text: string; readonly hint: string }>> = {
  open: { text: 'Open', hint: 'Resting orders and waiting triggers: 1 credit per wallet and dex' },
  history: {
    text: 'History',
    hint: 'Up to 2,000 most recent orders of each wallet, open and final: 1 credit per wallet',
  },
  all: { text: 'All', hint: 'Rows from both calls, each marked with its call: 2 credits per wallet' },
};

export function OrdersControls({ orders }: { readonly orders: Orders }) {
  const { choices, change, choice, view, prices, columns, rows, asked, fills, coinText, opening } = orders;
  const labels = useWalletBook((book) => book.wallets);
  const exported = useMemo(() => {
    const label = new Map<string, string>(labels.map((wallet) => [wallet.address, wallet.label]));
    return exportColumns(coinText, ({ address }) => label.get(address) ?? '', fills.fillsOf);
  }, [coinText, labels, fills.fillsOf]);
  const areFillsShown = fills.fillsOf !== undefined;
  const toggleFills = () => {
    if (!areFillsShown) fills.start();
    change({ fills: areFillsShown ? undefined : true });
  };

  return (
    <>
      <WalletPicker choice={choice} onChange={(w) => change({ w, row: undefined })} />
      <Segmented
        name="Orders to show"
        value={view}
        options={VIEWS.map((value) => ({ value, ...VIEW_TEXTS[value], credits: prices[value] }))}
        onChange={(next) => change({ show: next === 'open' ? undefined : next, row: undefined })}
      />
      <SavedViews page="orders" />
      <ColumnChooser columns={columns} />
      <ExportMenu
        name={['orders', view]}
        says={`The ${counted(rows.length, 'row')} in view, as filtered and sorted, with every field.`}
        columns={exported}
        rows={() => rows}
        facts={() => ({
          page: 'orders',
          exported: new Date().toISOString(),
          search: Object.fromEntries(new URLSearchParams(location.search)),
          calls: asked.map(({ ask, state, rows: own, at }) => ({
            wallet: ask.address,
            call: ask.call,
            dex: ask.dex,
            state: state.kind,
            rows: own?.length ?? 0,
            answered: at === undefined ? null : new Date(at).toISOString(),
          })),
        })}
      />
      <Button
        icon={BarChart3}
        aria-label="Statistics"
        aria-pressed={choices.panel === 'statistics'}
        onClick={() =>
          choices.panel === 'statistics'
            ? change({ panel: undefined })
            : change({ panel: 'statistics', row: undefined }, opening)
        }
      >
        <span className="max-[1399px]:sr-only">Statistics</span>
      </Button>
      <Button
        icon={ListChecks}
        aria-pressed={areFillsShown}
        title="Filled size, average price and fees of each order, as its fills report them"
        disabled={fills.isLoading}
        onClick={toggleFills}
      >
        <span className="max-[1399px]:sr-only">Fills</span>{' '}
        {!areFillsShown && fills.price > 0 && <PriceTag credits={fills.price} />}
      </Button>
    </>
  );
}
