import { compare, middle, multiply } from '@l4desk/decimal';
import { type Address, isDecimalString, readAddress, visibleText } from '@l4desk/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { coinsQuery } from '../api/session.ts';
import { useSpotNames } from '../api/use-spot-names.ts';
import type { LiveStatus } from '../book-worker/messages.ts';
import { type BookPlace, useOpenBooks } from '../book-worker/open-books.ts';
import { useRadar } from '../book-worker/radar/radar-context.ts';
import { useLive } from '../book-worker/use-book.ts';
import { openWorkspace } from '../features/ladder/workspaces/open-workspace.ts';
import { type Command, type CommandsTitle, usePageCommands } from '../hooks/commands.ts';
import { type Layouts, useLayouts } from '../state/layouts.ts';
import { searchTextOf } from '../state/page-search.ts';
import { usePreferences } from '../state/preferences.ts';
import { useWorkspaces, type Workspace } from '../state/workspaces.ts';
import { counted, grouped, shortAddress, wholeText } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { useWalletsDialog } from '../wallets/use-wallets-dialog.ts';
import { plainWallet, type Wallet } from '../wallets/wallet.ts';
import { groupsOf, useWalletBook } from '../wallets/wallet-book.ts';
import { bookCommands } from './book-commands.ts';
import {
  askedOrderCommands,
  bookOrderCommand,
  loadedOrderCommands,
  showBlock,
  showPlace,
  useBookOrder,
  wantedOrder,
} from './find-orders.ts';
import { PAGES } from './pages.ts';

/** Commands of one kind, under their heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The most commands listed per kind; typing narrows them. */
const GROUP_MAX = 8;

/**
 * The largest distance from the current block at which a block is offered: some hours, for which a hold is useful and a proof
 * may reach back.
 */
const BLOCKS_NEAR = 100_000;

/** Whether `typed`, in lower case, is the start of an address, with or without its 0x. */
export function beginsAddress(address: string, typed: string): boolean {
  return typed.length > 2 && (address.startsWith(typed) || address.startsWith(`0x${typed}`));
}

/**
 * A block height, with or without commas, opens the followed coin's book: held at that block, or showing what is proven about
 * it. A number far from the current block is not offered as a block; it may be an oid.
 */
export function blockCommands(
  typed: string,
  status: LiveStatus | undefined,
  onBlock: (coin: string, height: number) => void,
): readonly Command[] {
  if (status?.position === undefined || !/^(?:[1-9]\d{0,11}|[1-9]\d{0,2}(?:,\d{3}){1,3})$/.test(typed)) return [];
  const { coin, position } = status;
  const block = Number(typed.replaceAll(',', ''));
  const behind = position.height - block;
  if (Math.abs(behind) > BLOCKS_NEAR) return [];
  const text = behind > 0 ? `check whether the ${coin} book includes it` : `pause the ${coin} book there`;
  const hint =
    behind > 0 ? `${counted(behind, 'block')} ago` : behind < 0 ? `in ${counted(-behind, 'block')}` : undefined;
  return [
    {
      id: 'block',
      text: `Block ${wholeText(block)}: ${text}`,
      ...(hint === undefined ? {} : { hint }),
      run: () => onBlock(coin, block),
    },
  ];
}

/** A price near the followed book, with or without commas, opens its row. */
export function priceCommands(
  typed: string,
  status: LiveStatus | undefined,
  onPlace: (coin: string, place: BookPlace) => void,
): readonly Command[] {
  const { bid, ask } = status?.best ?? {};
  if (status === undefined || bid === undefined || ask === undefined) return [];
  if (!/^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/.test(typed)) return [];
  const px = typed.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  if (!isDecimalString(px)) return [];
  const mid = middle(bid, ask);
  if (compare(multiply(px, '2'), mid) < 0 || compare(px, multiply(mid, '2')) > 0) return [];
  const { coin } = status;
  const side = compare(px, mid) < 0 ? 'B' : 'A';
  return [
    {
      id: 'price',
      text: `Go to ${grouped(px)} in the ${coin} book`,
      run: () => onPlace(coin, { side, px }),
    },
  ];
}

/** The saved views of every page, by name. */
export function viewCommands(views: Layouts['views'], go: (href: string) => void): readonly Command[] {
  return PAGES.flatMap(({ to, text }) =>
    (views[to.slice(1)] ?? []).map(({ name, search }) => ({
      id: `view ${to} ${name}`,
      text: `View ${name}`,
      hint: text,
      run: () => go(`${to}?${new URLSearchParams(search)}`),
    })),
  );
}

/** The workspaces of the Book page. */
function workspaceCommands(list: readonly Workspace[], go: (href: string) => void): readonly Command[] {
  return list.map((kept) => ({
    id: `workspace ${kept.name}`,
    text: `Workspace ${kept.name}`,
    hint: kept.coin,
    run: () => go(openWorkspace(kept)),
  }));
}

/** The groups of the address book, one command per page that shows wallets. */
export function groupCommands(wallets: readonly Wallet[], go: (href: string) => void): readonly Command[] {
  return [...groupsOf(wallets)].flatMap(([name, members]) =>
    (['Balances', 'Orders', 'Overview'] as const).map((page) => ({
      id: `group ${page} ${name}`,
      text: `${page} of group ${name}`,
      hint: counted(members.length, 'wallet'),
      isPrivate: true,
      run: () =>
        go(
          `/${page === 'Overview' ? '' : page.toLowerCase()}?${new URLSearchParams({ w: searchTextOf([`g:${name}`]) ?? '' })}`,
        ),
    })),
  );
}

/** How well a command matches the typed text, in lower case: 0 is best; undefined for no match. */
export function rankOf({ text, hint = '' }: Command, typed: string): number | undefined {
  const said = text.toLowerCase();
  if (said.startsWith(typed)) return 0;
  if (said.includes(typed)) return 1;
  const all = `${said} ${hint.toLowerCase()}`;
  return typed.split(/\s+/).every((word) => all.includes(word)) ? 2 : undefined;
}

/** The commands that match the typed text, best first; commands of equal rank keep their order. */
function matching(commands: readonly Command[], typed: string): readonly Command[] {
  return commands
    .map((command) => ({ command, rank: rankOf(command, typed) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .slice(0, GROUP_MAX)
    .map(({ command }) => command);
}

/** Groups with a better match come first; a command found by a number or an address is the best match. */
function byRank(groups: readonly CommandGroup[], typed: string): readonly CommandGroup[] {
  const rank = ({ title, commands: [best] }: CommandGroup) =>
    title === 'Found' || best === undefined ? 0 : (rankOf(best, typed) ?? 0);
  return groups.filter(({ commands }) => commands.length > 0).sort((a, b) => rank(a) - rank(b));
}

/** Adds the wallet to the address book, so that its orders are marked wherever they rest. */
function watchCommand(typed: Address): Command {
  return {
    id: `watch ${typed}`,
    text: `Watch ${shortAddress(typed)}: add it to the address book`,
    run: () => {
      useWalletBook.getState().put([plainWallet(typed)]);
      toast(`${shortAddress(typed)} is in the address book: its orders are marked in the books.`);
    },
  };
}

/** The palette's commands for the typed text, the open page's own commands first. */
export function usePaletteCommands(query: string, openShortcuts: () => void): readonly CommandGroup[] {
  const router = useRouter();
  const queryClient = useQueryClient();
  const coins = useQuery(coinsQuery).data?.coins;
  const wallets = useWalletBook((book) => book.wallets);
  const views = useLayouts((state) => state.views);
  const workspaces = useWorkspaces((state) => state.list);
  const openBook = useWalletsDialog((state) => state.open);
  const page = usePageCommands();
  const own = useLive();
  const radar = useRadar();
  const books = useOpenBooks();
  const book = books[0];
  const live = book?.live ?? own;
  const set = usePreferences((state) => state.set);
  const privacy = usePreferences((state) => state.privacy);
  const characterKeys = usePreferences((state) => state.characterKeys);
  const typed = visibleText(query).toLowerCase();
  const wanted = wantedOrder(typed);
  const { coinText } = useSpotNames(false);
  const inBook = useBookOrder(wanted, books, books.some((one) => one.live === own) ? [radar] : [own, radar]);
  return useMemo(() => {
    const go = (href: string) => void router.navigate({ href });
    const status = live.book().status;
    const { location } = router.state;

    const ofWallet = (address: string, name: string): readonly Command[] =>
      [
        { to: '/balances', text: `Balances of ${name}` },
        { to: '/orders', text: `Orders of ${name}` },
      ].map(({ to, text }) => ({
        id: `${to} ${address}`,
        text,
        hint: shortAddress(address),
        isPrivate: true,
        run: () => go(`${to}?w=${address}`),
      }));
    const nameOf = (address: string) =>
      wallets.find((wallet) => wallet.address === address)?.label || shortAddress(address);
    const ofCoin = (coin: string): readonly Command[] => [
      { id: `book ${coin}`, text: `${coin} book`, run: () => go(`/book/${encodeURIComponent(coin)}`) },
      { id: `funding ${coin}`, text: `${coin} funding`, run: () => go(`/funding?coin=${encodeURIComponent(coin)}`) },
    ];

    const ofPage = (title: CommandsTitle): CommandGroup => ({
      title,
      commands: matching(
        page.filter((list) => list.title === title).flatMap(({ commands }) => commands),
        typed,
      ),
    });
    const named = readAddress(typed);
    const isNew = named.kind === 'address' && wallets.every(({ address }) => address !== named.address);
    const found = [
      ...(isNew ? [watchCommand(named.address), ...ofWallet(named.address, shortAddress(named.address))] : []),
      ...(inBook === undefined ? [] : [bookOrderCommand(inBook, go)]),
      ...priceCommands(typed, status, (coin, place) => showPlace(coin, place, book, go)),
      ...blockCommands(typed, status, (coin, height) => showBlock(coin, height, book, go)),
      ...(wanted === undefined ? [] : loadedOrderCommands(queryClient, wanted, { walletText: nameOf, coinText }, go)),
      ...(wanted === undefined ? [] : askedOrderCommands(wanted, wallets.length, go)),
    ];
    const ofWallets =
      typed === ''
        ? []
        : wallets
            .flatMap(({ address, label }) => {
              const commands = ofWallet(address, label || shortAddress(address));
              return beginsAddress(address, typed) ? commands : matching(commands, typed);
            })
            .slice(0, GROUP_MAX);
    const pages = PAGES.map(({ to, text }) => ({ id: to, text: `Open ${text}`, run: () => go(to) }));
    const actions: readonly Command[] = [
      { id: 'address book', text: 'Open the address book', run: openBook },
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
      {
        id: 'character keys',
        text: `Turn ${characterKeys ? 'off' : 'on'} shortcuts of a single character`,
        run: () => set({ characterKeys: !characterKeys }),
      },
    ];

    return byRank(
      [
        ofPage('This page'),
        ofPage('Time travel'),
        ofPage('Exports'),
        { title: 'Found', commands: found },
        { title: 'Followed book', commands: matching(bookCommands(live, location.pathname), typed) },
        {
          title: 'Saved views and workspaces',
          commands: matching([...workspaceCommands(workspaces, go), ...viewCommands(views, go)], typed),
        },
        { title: 'Pages', commands: matching(pages, typed) },
        {
          title: 'Coins',
          commands:
            typed === ''
              ? []
              : matching(
                  (coins ?? []).flatMap(({ coin }) => ofCoin(coin)),
                  typed,
                ),
        },
        { title: 'Groups', commands: typed === '' ? [] : matching(groupCommands(wallets, go), typed) },
        { title: 'Wallets', commands: ofWallets },
        { title: 'Actions', commands: matching(actions, typed) },
      ],
      typed,
    );
  }, [
    typed,
    wanted,
    inBook,
    router,
    queryClient,
    live,
    book,
    coins,
    wallets,
    views,
    workspaces,
    openBook,
    openShortcuts,
    page,
    set,
    privacy,
    characterKeys,
    coinText,
  ]);
}
