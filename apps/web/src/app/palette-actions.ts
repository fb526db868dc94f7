import { type Address, readAddress } from '@l4desk/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { baseOfSymbol, fullNameOf, isMisspelt } from '../api/coin-names.ts';
import { coinsQuery } from '../api/session.ts';
import { useSpotNames } from '../api/use-spot-names.ts';
import { useOpenBooks } from '../book-worker/open-books.ts';
import { useRadar } from '../book-worker/radar/radar.ts';
import { useLive } from '../book-worker/use-book.ts';
import { openWorkspace } from '../features/ladder/pop/windows.ts';
import { type Action, type ActionGroup, isEnabled, useActionLists } from '../hooks/actions.ts';
import { type Layouts, useLayouts } from '../state/layouts.ts';
import { searchTextOf } from '../state/page-search.ts';
import { usePreferences } from '../state/preferences.ts';
import { useRecentActions } from '../state/recents.ts';
import { useWorkspaces, type Workspace } from '../state/workspaces.ts';
import { counted, shortAddress } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { searchedText } from '../wallets/read-pasted.ts';
import { useWalletsDialog } from '../wallets/use-wallets-dialog.ts';
import { plainWallet, type Wallet } from '../wallets/wallet.ts';
import { groupsOf, useWalletBook } from '../wallets/wallet-book.ts';
import { LOOK_NAMES, LOOKS } from './appearance-panel.tsx';
import {
  askedOrderActions,
  bookOrderAction,
  loadedOrderActions,
  showBlock,
  showPlace,
  useBookOrder,
  wantedOrder,
} from './find-orders.ts';
import { PAGES } from './pages.ts';
import { blockActions, bookActions, priceActions } from './palette-book.ts';
import { useSignOut } from './use-sign-out.ts';

export interface PaletteGroup {
  readonly title: string;
  readonly actions: readonly Action[];
}

const GROUP_MAX = 8;

/** Whether `typed`, in lower case, is the start of an address, with or without its 0x. */
export function beginsAddress(address: string, typed: string): boolean {
  return typed.length > 2 && (address.startsWith(typed) || address.startsWith(`0x${typed}`));
}

function viewActions(views: Layouts['views'], go: (href: string) => void): readonly Action[] {
  return PAGES.flatMap(({ to, text }) =>
    (views[to.slice(1)] ?? []).map(({ name, search }) => ({
      id: `view ${to} ${name}`,
      label: `View ${name}`,
      hint: text,
      run: () => go(`${to}?${new URLSearchParams(search)}`),
    })),
  );
}

function workspaceActions(list: readonly Workspace[], go: (href: string) => void): readonly Action[] {
  return list.map((kept) => ({
    id: `workspace ${kept.name}`,
    label: `Workspace ${kept.name}`,
    hint: kept.coin,
    run: () => go(openWorkspace(kept)),
  }));
}

/** The groups of the address book, one action per page that shows wallets. */
function groupActions(wallets: readonly Wallet[], go: (href: string) => void): readonly Action[] {
  return [...groupsOf(wallets)].flatMap(([name, members]) =>
    (['Balances', 'Orders', 'Overview'] as const).map((page) => ({
      id: `group ${page} ${name}`,
      label: `${page} of group ${name}`,
      hint: counted(members.length, 'wallet'),
      isPrivate: true,
      run: () =>
        go(
          `/${page === 'Overview' ? '' : page.toLowerCase()}?${new URLSearchParams({ w: searchTextOf([`g:${name}`]) ?? '' })}`,
        ),
    })),
  );
}

/** What is typed to find an action: the name of a page without its verb. */
const searchedName = ({ label }: Action) => label.replace(/^Open (?!the )/, '');

/** How well an action matches the typed text, in lower case: 0 is best; undefined for no match. */
export function rankOf(action: Action, typed: string): number | undefined {
  const { label, hint = '', aliases = '' } = action;
  const ownName = searchedName(action).toLowerCase();
  if (ownName.startsWith(typed)) return 0;
  // An alias counts like its label; groups of equal rank keep their order.
  if (ownName.includes(typed) || ` ${aliases}`.includes(` ${typed}`)) return 1;
  const all = `${label.toLowerCase()} ${hint.toLowerCase()} ${aliases}`;
  return typed.split(/\s+/).every((word) => all.includes(word)) ? 2 : undefined;
}

/** The rank of a typing error: one letter missing, added or wrong, or two swapped, in each longer word. */
export function rankOfMistyped({ label, aliases = '' }: Action, typed: string): number | undefined {
  if (typed.length < 4) return undefined;
  const words = `${label} ${aliases}`.toLowerCase().split(' ');
  const isFound = (part: string) =>
    words.some((word) => word.startsWith(part) || (part.length > 3 && isMisspelt(part, word)));
  return typed.split(/\s+/).every(isFound) ? 2 : undefined;
}

type Rank = typeof rankOf;

/** The actions of each group that match the typed text, best first; those of equal rank keep their order, and so do groups. */
function ranked(groups: readonly PaletteGroup[], typed: string, rank: Rank): readonly PaletteGroup[] {
  return groups
    .map(({ title, actions }) => {
      // What was found by a number or an address is the best match, whatever its label is.
      const rankIn = (action: Action) => (title === 'Found' ? 0 : rank(action, typed));
      const found = actions
        .filter(isEnabled)
        .map((action) => ({ action, rank: rankIn(action) }))
        .filter((one): one is { action: Action; rank: number } => one.rank !== undefined)
        .sort((a, b) => a.rank - b.rank);
      return { title, actions: found.slice(0, GROUP_MAX).map(({ action }) => action), rank: found[0]?.rank };
    })
    .filter((group) => group.rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** Adds the wallet to the address book, so that its orders are marked wherever they rest. */
function watchAction(typed: Address): Action {
  return {
    id: `watch ${typed}`,
    label: `Watch ${shortAddress(typed)}: add it to the address book`,
    run: () => {
      useWalletBook.getState().put([plainWallet(typed)]);
      toast(`${shortAddress(typed)} is in the address book: its orders are marked in the books.`);
    },
  };
}

function lookActions(preferences: ReturnType<typeof usePreferences.getState>): readonly Action[] {
  const { privacy, characterKeys, set } = preferences;
  const looks = LOOK_NAMES.flatMap((name) => {
    const { label, options } = LOOKS[name];
    const others: readonly { readonly value: string; readonly text: string }[] = options;
    return others
      .filter(({ value }) => value !== preferences[name])
      .map(({ value, text }) => ({
        id: `${name} ${value}`,
        label: `${label}: ${text}`,
        aliases: 'settings preferences appearance',
        run: () => set({ [name]: value }),
      }));
  });
  return [
    {
      id: 'privacy',
      label: privacy ? 'Show amounts and wallets' : 'Blur amounts and wallets',
      aliases: 'privacy hide',
      run: () => set({ privacy: !privacy }),
    },
    {
      id: 'character keys',
      label: `Turn ${characterKeys ? 'off' : 'on'} shortcuts of a single character`,
      run: () => set({ characterKeys: !characterKeys }),
    },
    ...looks,
  ];
}

/** Where a coin leads to; it is found by its name too. */
function coinActions(coin: string, text: string, go: (href: string) => void): readonly Action[] {
  const written = encodeURIComponent(coin);
  const name = fullNameOf(coin);
  const found = name === undefined ? {} : { hint: name, aliases: name.toLowerCase() };
  return [
    { id: `book ${coin}`, label: `${text} book`, ...found, run: () => go(`/book/${written}`) },
    { id: `funding ${coin}`, label: `${text} funding`, ...found, run: () => go(`/funding?coin=${written}`) },
    { id: `limits ${coin}`, label: `${text} limits`, ...found, run: () => go(`/limits?coin=${written}`) },
  ];
}

/** The palette's actions for the typed text, the open page's own first. */
export function usePaletteActions(query: string, openShortcuts: () => void): readonly PaletteGroup[] {
  const router = useRouter();
  const queryClient = useQueryClient();
  const coins = useQuery(coinsQuery).data?.coins ?? [];
  const wallets = useWalletBook((book) => book.wallets);
  const views = useLayouts((state) => state.views);
  const workspaces = useWorkspaces((state) => state.list);
  const { open: openBook, openImport } = useWalletsDialog();
  const signOut = useSignOut();
  const lists = useActionLists();
  const recent = useRecentActions((state) => state.items);
  const own = useLive();
  const radar = useRadar();
  const books = useOpenBooks();
  const preferences = usePreferences();
  const { coinText } = useSpotNames(false);
  const typed = searchedText(query);
  const wanted = wantedOrder(typed);
  const inBook = useBookOrder(wanted, books, books.some((one) => one.live === own) ? [radar] : [own, radar]);
  const [book] = books;
  const live = book?.live ?? own;
  const status = live.book().status;
  const go = (href: string) => void router.navigate({ href });

  const ofWallet = (address: string, name: string): readonly Action[] =>
    (['balances', 'orders'] as const).map((page) => ({
      id: `/${page} ${address}`,
      label: `${page === 'balances' ? 'Balances' : 'Orders'} of ${name}`,
      hint: shortAddress(address),
      isPrivate: true,
      run: () => go(`/${page}?w=${address}`),
    }));
  const nameOf = (address: string) =>
    wallets.find((wallet) => wallet.address === address)?.label || shortAddress(address);
  const named = readAddress(typed);
  const isNew = named.kind === 'address' && wallets.every(({ address }) => address !== named.address);
  const found: readonly Action[] = [
    ...(isNew ? [watchAction(named.address), ...ofWallet(named.address, shortAddress(named.address))] : []),
    ...(inBook === undefined ? [] : [bookOrderAction(inBook, go)]),
    ...priceActions(typed, status, (coin, place) => showPlace(coin, place, book, go)),
    ...blockActions(typed, status, (coin, height) => showBlock(coin, height, book, go)),
    ...(wanted === undefined ? [] : loadedOrderActions(queryClient, wanted, { walletText: nameOf, coinText }, go)),
    ...(wanted === undefined ? [] : askedOrderActions(wanted, wallets.length, go)),
    ...wallets
      .filter(({ address }) => beginsAddress(address, typed))
      .flatMap(({ address }) => ofWallet(address, nameOf(address))),
  ];
  const ofPage = (title: ActionGroup): PaletteGroup => ({
    title,
    actions: lists
      .filter(({ group }) => group === title)
      .flatMap(({ actions }) => actions.filter(({ isKeyOnly }) => isKeyOnly !== true)),
  });
  const always: readonly PaletteGroup[] = [
    ofPage('This page'),
    ofPage('Time travel'),
    ofPage('Exports'),
    { title: 'Found', actions: found },
    { title: 'Followed book', actions: bookActions(live, router.state.location.pathname) },
    { title: 'Saved views and workspaces', actions: [...workspaceActions(workspaces, go), ...viewActions(views, go)] },
    {
      title: 'Pages',
      actions: PAGES.map(({ to, text, aliases }) => ({
        id: to,
        label: `Open ${text}`,
        aliases,
        // Nobody goes to where they are; who types its name expects to find it.
        isEnabled: typed !== '' || to !== router.state.location.pathname,
        run: () => go(to),
      })),
    },
    {
      title: 'Actions',
      actions: [
        { id: 'address book', label: 'Open the address book', aliases: 'wallets labels groups', run: openBook },
        { id: 'import wallets', label: 'Import wallets', aliases: 'add addresses csv', run: openImport },
        { id: 'shortcuts', label: 'Show keyboard shortcuts', aliases: 'help keys', run: openShortcuts },
        { id: 'sign out', label: 'Sign out', aliases: 'log out logout leave', run: () => signOut.mutate() },
        {
          id: 'reference',
          label: 'Open the API reference',
          aliases: 'docs documentation help openapi bots',
          run: () => window.open('/docs', '_blank', 'noopener'),
        },
        ...lookActions(preferences),
      ],
    },
  ];
  const ofCoins = { title: 'Coins', actions: coins.flatMap(({ coin }) => coinActions(coin, coinText(coin), go)) };
  const groups: readonly PaletteGroup[] = [
    ...always,
    ofCoins,
    { title: 'Groups', actions: groupActions(wallets, go) },
    { title: 'Wallets', actions: wallets.flatMap(({ address }) => ofWallet(address, nameOf(address))) },
  ];
  if (typed === '') {
    const offered = groups.flatMap(({ actions }) => actions);
    const last = recent.flatMap((id) => offered.find((action) => action.id === id) ?? []);
    return ranked([{ title: 'Recent', actions: last }, ...always], '', rankOf);
  }
  const matching = ranked(groups, typed, rankOf);
  if (matching.length > 0) return matching;
  const base = baseOfSymbol(typed);
  const ofBase = base === undefined ? [] : ranked([ofCoins], base, rankOf);
  return ofBase.length > 0 ? ofBase : ranked(groups, typed, rankOfMistyped);
}
