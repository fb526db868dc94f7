/** The pages, with other words by which the command palette finds them. */
export const PAGES = [
  { to: '/', text: 'Overview', aliases: 'home start dashboard alarms worth' },
  { to: '/book', text: 'Book', aliases: 'ladder depth queue tape trade price alert' },
  { to: '/balances', text: 'Balances', aliases: 'value worth positions pnl margin liquidation' },
  { to: '/orders', text: 'Orders', aliases: 'history fills trades' },
  { to: '/funding', text: 'Funding', aliases: 'rates apr' },
  { to: '/limits', text: 'Limits', aliases: 'leverage largest market order' },
  { to: '/usage', text: 'Usage', aliases: 'credits plan keys billing spending' },
] as const;
