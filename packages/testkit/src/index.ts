/** Test support of the workspace. Starting the real stack lives in `@l4desk/testkit/stack`. */
export * from './build/orders.ts';
export * from './build/source-book.ts';
export * from './bundle.ts';
export * from './chance.ts';
export * from './fake-clock.ts';
export * from './fault-proxy.ts';
export * from './fixtures.ts';
export * from './fuzz.ts';
export * from './kept-log.ts';
export * from './recorded-data.ts';
export * from './scripted-service.ts';
export * from './spec-client/raw-socket.ts';
export * from './spec-client/spec-client.ts';
export * from './standing-clock.ts';
export * from './stream-probe.ts';
export * from './temporary-directory.ts';
export * from './until.ts';
