/** The service in this process, with a fake exchange, a fake feed and a controllable clock. */
export * from './fake-exchange.ts';
export * from './fake-feed.ts';
export * from './http.ts';
export * from './test-service.ts';
