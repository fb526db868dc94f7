import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { render } from './render.ts';

/** Renders at the last of these addresses, in a router of its own. */
export async function renderRoute(component: () => ReactNode, ...addresses: readonly string[]) {
  const history = createMemoryHistory({ initialEntries: addresses.length === 0 ? ['/'] : [...addresses] });
  const router = createRouter({ routeTree: createRootRoute({ component }), history });
  await router.load();
  return { router, history, ...(await render(<RouterProvider router={router} />)) };
}
