import { TransportError } from '@l4desk/client';
import { z } from '@l4desk/protocol';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { coinsQuery } from '../api/session.ts';
import type { SessionStore } from '../api/session-store.ts';
import { balancesSearch } from '../features/balances/search.ts';
import { fundingSearch } from '../features/funding/search.ts';
import { openWorkspace } from '../features/ladder/pop/windows.ts';
import { ladderSearch } from '../features/ladder/search.ts';
import { limitsSearch } from '../features/limits/search.ts';
import { ordersSearch } from '../features/orders/search.ts';
import { overviewSearch } from '../features/overview/search.ts';
import { usageSearch } from '../features/usage/search.ts';
import { useOpenedRecording } from '../state/opened-recording.ts';
import { parseSearch, stringifySearch } from '../state/page-search.ts';
import { startWorkspace } from '../state/workspaces.ts';
import { serviceResponds } from '../ui/later.tsx';
import { AppLayout } from './app-layout.tsx';
import { ErrorPage, NotFoundPage } from './error-page.tsx';
import type { OneTimeToken } from './one-time-token.ts';

export interface RouterContext {
  readonly sessions: SessionStore;
  readonly oneTimeToken: OneTimeToken;
}

/** Additional context of routes inside the shell: the query client of the signed-in account. */
interface PageContext extends RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFoundPage });

/**
 * A page that is loaded when it is visited. If loading fails, the error is shown in the page's place: by default the router
 * would reload the whole window, which loses the live book and its recent minutes, and never recovers while the service is
 * down.
 */
function page<Name extends string>(load: () => Promise<Record<Name, RouteComponent>>, name: Name) {
  return lazyRouteComponent(async () => {
    try {
      const loaded = await load();
      // The router renders the page at once: without this pause, in the task that ran its scripts, which would be long.
      await new Promise<void>((render) => setTimeout(render));
      return loaded;
    } catch (cause) {
      if (!(await serviceResponds())) throw new TransportError('network', 'this page could not be loaded', { cause });
      // The service may have come back meanwhile. If the file is gone after an update of the service, this throws again, and the
      // router reloads the window.
      return load();
    }
  }, name);
}

/** A path on this origin to return to after signing in; any other value could send users to another site. */
const returnPath = z.string().regex(/^\/(?![/\\])/);

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: z.object({ next: returnPath.optional().catch(undefined) }),
  component: page(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

/** Everything that needs a session, inside the shell. */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    const signedIn = context.oneTimeToken.waiting ? null : await context.sessions.ensure();
    if (signedIn === null) {
      // oxlint-disable-next-line typescript/only-throw-error -- the router redirects by what is thrown
      throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true });
    }
    return { queryClient: signedIn.cache.queryClient };
  },
  component: AppLayout,
});

/** `/book` opens the start workspace, or else the first coin of the exchange with its query kept. */
const toFirstCoin = async ({ context, search }: { context: PageContext; search: object }): Promise<never> => {
  const workspace = Object.keys(search).length === 0 ? startWorkspace() : undefined;
  // oxlint-disable-next-line typescript/only-throw-error -- the router redirects by what is thrown
  if (workspace !== undefined) throw redirect({ href: openWorkspace(workspace), replace: true });
  const { coins } = await context.queryClient.ensureQueryData(coinsQuery);
  // oxlint-disable-next-line typescript/only-throw-error -- the router redirects by what is thrown
  throw redirect({ to: '/book/$coin', params: { coin: coins[0]?.coin ?? 'BTC' }, search, replace: true });
};

const pageRoute = <const Path extends string, const Schema extends z.ZodType<object, object>>(
  path: Path,
  validateSearch: Schema,
  component: RouteComponent,
) => createRoute({ getParentRoute: () => appRoute, path, validateSearch, component });

const overviewRoute = pageRoute(
  '/',
  overviewSearch.schema,
  page(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
);

const bookRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/book',
  validateSearch: ladderSearch.schema,
  beforeLoad: toFirstCoin,
});

const bookCoinRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/book/$coin',
  validateSearch: ladderSearch.schema,
  // An unknown coin must not be followed; if the list of coins cannot be loaded, the page opens anyway.
  loader: async ({ context, params, location }) => {
    await context.queryClient.prefetchQuery(coinsQuery);
    const coins = context.queryClient.getQueryData(coinsQuery.queryKey)?.coins.map(({ coin }) => coin) ?? [];
    if (coins.includes(params.coin)) return;
    const { perpNamed } = await import('../api/coin-names.ts');
    const coin = perpNamed(coins, params.coin);
    if (coin === params.coin) return;
    // oxlint-disable-next-line typescript/only-throw-error -- the router redirects by what is thrown
    throw redirect({ to: '/book/$coin', params: { coin }, search: location.search, replace: true });
  },
  component: page(() => import('../features/ladder/ladder-page.tsx'), 'LadderPage'),
});

/** An order by its oid alone: opens the book of the coin in the query, else of the opened recording, else of the first coin. */
const orderRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/order/$oid',
  validateSearch: z.object({ coin: z.string().optional().catch(undefined) }),
  beforeLoad: async ({ context, params, search }) => {
    // An opened recording needs no service.
    const opened = search.coin ?? useOpenedRecording.getState().coin;
    const coin = opened ?? (await context.queryClient.ensureQueryData(coinsQuery)).coins[0]?.coin ?? 'BTC';
    // An invalid oid is passed on: the page says that it does not recognize it.
    // oxlint-disable-next-line typescript/only-throw-error -- the router redirects by what is thrown
    throw redirect({
      to: '/book/$coin',
      params: { coin },
      search: { order: params.oid, pane: 'order' },
      replace: true,
    });
  },
});

const limitsRoute = pageRoute(
  '/limits',
  limitsSearch.schema,
  page(() => import('../features/limits/limits-page.tsx'), 'LimitsPage'),
);
const balancesRoute = pageRoute(
  '/balances',
  balancesSearch.schema,
  page(() => import('../features/balances/balances-page.tsx'), 'BalancesPage'),
);
const ordersRoute = pageRoute(
  '/orders',
  ordersSearch.schema,
  page(() => import('../features/orders/orders-page.tsx'), 'OrdersPage'),
);
const usageRoute = pageRoute(
  '/usage',
  usageSearch.schema,
  page(() => import('../features/usage/usage-page.tsx'), 'UsagePage'),
);
const fundingRoute = pageRoute(
  '/funding',
  fundingSearch.schema,
  page(() => import('../features/funding/funding-page.tsx'), 'FundingPage'),
);

const routeTree = rootRoute.addChildren([
  signInRoute,
  appRoute.addChildren([
    overviewRoute,
    bookRoute,
    bookCoinRoute,
    orderRoute,
    balancesRoute,
    fundingRoute,
    limitsRoute,
    ordersRoute,
    usageRoute,
  ]),
]);

export function makeRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    pathParamsAllowedCharacters: [':', '@'],
    defaultErrorComponent: ErrorPage,
    defaultPendingMs: 500,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }

  interface HistoryState {
    /** The redirect to sign-in happened by itself: a session of this account ended while a page was open. */
    endedFor?: string;
    /** Set for sign-in when the user is signed in, but the page needs a session with other keys. */
    otherKeys?: boolean;
  }
}
