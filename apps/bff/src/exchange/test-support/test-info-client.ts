import { createInfoClient, createLog, type InfoClient, type InfoClientOptions } from '@l4desk/bff';
import type { FakeExchange } from '@l4desk/testkit/service';

/** Creates a client of a fake exchange, with a timeout that no test reaches by accident. */
export function testInfoClient(exchange: FakeExchange, options: Partial<InfoClientOptions> = {}): InfoClient {
  return createInfoClient({
    url: exchange.infoUrl,
    timeoutMs: 30_000,
    connectionsMax: 64,
    waitingMax: 256,
    responsesBytesMax: 256 * 1024 * 1024,
    dialect: 'exchange',
    log: createLog('silent', { write() {} }),
    ...options,
  });
}
