/** A page that this version does not have yet. */
export interface LaterPage {
  readonly to: string;
  readonly text: string;
  /** What the page will show, in one sentence. */
  readonly shows: string;
  /** What this version has of it. */
  readonly today: string;
}

/** The pages still to come: one that lands takes its entry away and gets a route of its own in `router.tsx`. */
export const LATER_PAGES = [
  {
    to: '/funding',
    text: 'Funding',
    shows: 'The funding rate of a coin over time, per measured interval and by the year.',
    today: 'No rate is read. The order book shows every order that rests in the coin’s market.',
  },
] as const satisfies readonly LaterPage[];

/** The pages of the navigation, in order. */
export const PAGES = [
  { to: '/book', text: 'Book' },
  { to: '/balances', text: 'Balances' },
  { to: '/orders', text: 'Orders' },
  { to: '/funding', text: 'Funding' },
  { to: '/limits', text: 'Limits' },
  { to: '/usage', text: 'Usage' },
] as const;
