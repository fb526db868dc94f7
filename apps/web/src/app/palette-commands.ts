import { ADDRESS_PATTERN } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { coinsQuery } from '../api/session.ts';
import { type Command, usePageCommands } from '../hooks/commands.ts';
import { usePreferences } from '../hooks/preferences.ts';
import { useLive } from '../live/live-context.tsx';
import type { LiveStatus } from '../live/messages.ts';
import { counted, shortAddress, wholeText } from '../ui/format.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';
import { useWalletsWindow } from '../wallets/wallets-window.ts';
import { PAGES } from './pages.ts';

/** Commands of one kind, under their heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Most of one kind at once; typing narrows them. */
const GROUP_MAX = 8;

/** Whether what was typed, in small letters, is the beginning of an address, with or without its 0x. */
export function beginsAddress(address: string, typed: string): boolean {
  return typed.length > 2 && (address.startsWith(typed) || address.startsWith(`0x${typed}`));
}

/** A block height, with or without commas, leads to the book of the followed coin: held there, or what is proven of it. */
export function blockCommands(
  typed: string,
  status: LiveStatus | undefined,
  first: string | undefined,
  go: (href: string) => void,
): readonly Command[] {
  const coin = status?.coin ?? first;
  if (coin === undefined || !/^(?:[1-9]\d{0,11}|[1-9]\d{0,2}(?:,\d{3}){1,3})$/.test(typed)) return [];
  const block = Number(typed.replaceAll(',', ''));
  const behind = (status?.position?.height ?? Number.NaN) - block;
  const text = behind > 0 ? `what the ${coin} book proves of it` : `hold the ${coin} book there`;
  const hint =
    behind > 0 ? `${counted(behind, 'block')} ago` : behind < 0 ? `in ${counted(-behind, 'block')}` : undefined;
  return [
    {
      id: 'block',
      text: `Block ${wholeText(block)}: ${text}`,
      ...(hint === undefined ? {} : { hint }),
      run: () => go(`/book/${encodeURIComponent(coin)}?block=${block}`),
    },
  ];
}

/** What the palette offers for what was typed, the open page's own commands first. */
export function usePaletteCommands(query: string, openShortcuts: () => void): readonly CommandGroup[] {
  const router = useRouter();
  const coins = useQuery(coinsQuery).data?.coins;
  const wallets = useWalletBook((book) => book.wallets);
  const openBook = useWalletsWindow((state) => state.open);
  const page = usePageCommands();
  const live = useLive();
  const set = usePreferences((state) => state.set);
  const privacy = usePreferences((state) => state.privacy);
  return useMemo(() => {
    const go = (href: string) => void router.navigate({ href });
    const wanted = query.trim().toLowerCase();
    const matching = (commands: readonly Command[]) =>
      commands.filter(({ text, hint = '' }) => `${text} ${hint}`.toLowerCase().includes(wanted)).slice(0, GROUP_MAX);

    const ofWallet = (address: string, name: string): Command[] =>
      [
        { to: '/balances', text: `Balances of ${name}` },
        { to: '/orders', text: `Orders of ${name}` },
      ].map(({ to, text }) => ({
        id: `${to} ${address}`,
        text,
        hint: shortAddress(address),
        run: () => go(`${to}?w=${address}`),
      }));
    const isKnown = wallets.some(({ address }) => address === wanted);
    const typed = ADDRESS_PATTERN.test(wanted) && !isKnown ? ofWallet(wanted, shortAddress(wanted)) : [];
    const oid = /^(\d{1,16}|0x[0-9a-f]{32})$/.test(wanted)
      ? [{ id: 'oid', text: `Find order ${wanted}`, run: () => go(`/orders?q=${wanted}`) }]
      : [];

    return [
      { title: 'This page', commands: matching(page.flat()) },
      { title: 'Found', commands: [...typed, ...oid, ...blockCommands(wanted, live.status(), coins?.[0]?.coin, go)] },
      {
        title: 'Pages',
        commands: matching(PAGES.map(({ to, text }) => ({ id: to, text: `Open ${text}`, run: () => go(to) }))),
      },
      {
        title: 'Coins',
        commands:
          wanted === ''
            ? []
            : matching(
                (coins ?? []).flatMap(({ coin }): Command[] => [
                  { id: `book ${coin}`, text: `${coin} book`, run: () => go(`/book/${encodeURIComponent(coin)}`) },
                  {
                    id: `funding ${coin}`,
                    text: `${coin} funding`,
                    run: () => go(`/funding?coin=${encodeURIComponent(coin)}`),
                  },
                ]),
              ),
      },
      {
        title: 'Wallets',
        commands:
          wanted === ''
            ? []
            : wallets
                .flatMap(({ address, label }) => {
                  const commands = ofWallet(address, label || shortAddress(address));
                  return beginsAddress(address, wanted) ? commands : matching(commands);
                })
                .slice(0, GROUP_MAX),
      },
      {
        title: 'Actions',
        commands: matching([
          { id: 'book', text: 'Open the address book', run: openBook },
          { id: 'keys', text: 'Show keyboard shortcuts', hint: '?', run: openShortcuts },
          { id: 'dark', text: 'Theme: dark', run: () => set({ theme: 'dark' }) },
          { id: 'light', text: 'Theme: light', run: () => set({ theme: 'light' }) },
          { id: 'system', text: 'Theme: as the system', run: () => set({ theme: 'system' }) },
          { id: 'compact', text: 'Density: compact', run: () => set({ density: 'compact' }) },
          { id: 'comfortable', text: 'Density: comfortable', run: () => set({ density: 'comfortable' }) },
          { id: 'utc', text: 'Times in UTC', run: () => set({ timeZone: 'utc' }) },
          { id: 'local', text: 'Times in the local zone', run: () => set({ timeZone: 'local' }) },
          {
            id: 'privacy',
            text: privacy ? 'Show amounts and wallets' : 'Blur amounts and wallets',
            run: () => set({ privacy: !privacy }),
          },
        ]),
      },
    ].filter(({ commands }) => commands.length > 0);
  }, [query, router, live, coins, wallets, openBook, openShortcuts, page, set, privacy]);
}
