import { TARIFF } from '@l4desk/protocol';
import { useEffect, useSyncExternalStore } from 'react';
import { useRadar } from '../book-worker/radar/radar-context.ts';
import { usePageVisible } from '../hooks/use-page-visible.ts';
import { useBurner } from '../state/burn.ts';
import { markingsOf } from '../wallets/marks.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';

/**
 * Keeps the radar running across pages: reports its price to the meter, and passes it the watched wallets and the page's
 * visibility.
 */
export function useRadarDuties(): void {
  const radar = useRadar();
  const coins = useSyncExternalStore(radar.subscribe, () => radar.view().coins.length);
  useBurner(`Radar of ${coins} coins`, coins === 0 ? undefined : coins * TARIFF.l4BookUpdatesPerCoinMinute);
  const wallets = useWalletBook((book) => book.wallets);
  useEffect(() => radar.watch([...markingsOf(wallets).keys()]), [radar, wallets]);
  const isVisible = usePageVisible();
  useEffect(() => radar.look(isVisible), [radar, isVisible]);
}
