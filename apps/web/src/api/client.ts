import { createClient } from '@l4desk/client';

/** The service this page came from; the session cookie travels by itself. */
export const client = createClient({ baseUrl: location.origin, fetch: (url, init) => fetch(url, init) });

/** How every paid answer is kept: fresh until somebody asks for a newer one, and for an hour after nobody shows it. */
export const PAID = { staleTime: Number.POSITIVE_INFINITY, gcTime: 3_600_000 } as const;
