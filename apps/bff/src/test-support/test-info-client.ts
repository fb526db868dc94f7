import { createLog } from '../log.ts';
import { createInfoClient, type InfoClient, type InfoClientOptions } from '../upstream/info-client.ts';
import type { FakeExchange } from './fake-exchange.ts';

/** A client of a fake exchange, with a deadline that no test reaches by accident. */
export function testInfoClient(exchange: FakeExchange, options: Partial<InfoClientOptions> = {}): InfoClient {
  return createInfoClient({
    url: exchange.infoUrl,
    timeoutMs: 10_000,
    connectionsMax: 64,
    waitingMax: 256,
    answersBytesMax: 256 * 1024 * 1024,
    dialect: 'exchange',
    log: createLog('silent', { write() {} }),
    ...options,
  });
}
