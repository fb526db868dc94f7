export const PAGES = [
  { to: '/', text: 'Overview' },
  { to: '/book', text: 'Book' },
  { to: '/balances', text: 'Balances' },
  { to: '/orders', text: 'Orders' },
  { to: '/funding', text: 'Funding' },
  { to: '/limits', text: 'Limits' },
  { to: '/usage', text: 'Usage' },
] as const;
