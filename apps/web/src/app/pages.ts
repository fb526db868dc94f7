/** The pages, with other words by which the command palette finds them. */
export const PAGES = [
  { to: '/', text: 'Overview', aliases: 'home start alarms worth' },
  { to: '/book', text: 'Book', aliases: 'ladder depth' },
  { to: '/balances', text: 'Balances', aliases: 'value worth positions pnl margin liquidation' },
  { to: '/orders', text: 'Orders', aliases: 'history fills' },
  { to: '/funding', text: 'Funding', aliases: 'rates apr' },
  { to: '/limits', text: 'Limits', aliases: 'leverage largest market order' },
  { to: '/usage', text: 'Usage', aliases: 'credits plan keys' },
] as const;
