/** Real NATS servers for tests. */
export { NatsServer } from './nats-server.ts';
