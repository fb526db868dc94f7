/** What the exchange speaks to us: its info API and the order-level server's `l4Book` stream. */
export * from './l4Book.ts';
export * from './meta.ts';
