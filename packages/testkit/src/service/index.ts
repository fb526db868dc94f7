/** The service in this process, over a fake exchange and a fake feed, with a clock in hand. */
export * from './fake-exchange.ts';
export * from './fake-feed.ts';
export * from './http.ts';
export * from './test-service.ts';
