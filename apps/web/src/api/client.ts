import { createClient } from '@l4desk/client';
import { notePaid } from '../hooks/burn.ts';
import { payingFetch } from './paying-fetch.ts';

/** The service this page came from; the session cookie travels by itself. What its calls cost is on the credit meter. */
export const client = createClient({ baseUrl: location.origin, fetch: payingFetch((credits) => notePaid(credits)) });

/** The same for calls that a burner stands for (`useBurner`): the meter counts its rate, not the calls. */
export const ratedClient = createClient({
  baseUrl: location.origin,
  fetch: payingFetch((credits) => notePaid(credits, true)),
});

/** How every paid answer is kept: fresh until somebody asks for a newer one, and for an hour after nobody shows it. */
export const PAID = { staleTime: Number.POSITIVE_INFINITY, gcTime: 3_600_000 } as const;
