/** The protocol of the exchange: its info API and the order-level server's `l4Book` stream. */
export * from './info.ts';
export * from './l4Book.ts';
export { readL4BookBlockText } from './l4BookText.ts';
export * from './nodeFiles.ts';
