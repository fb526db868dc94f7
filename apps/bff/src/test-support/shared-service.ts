import { type RawResponse, startTestService, type TestService, type TestServiceOptions } from '@l4desk/testkit/service';
import { afterAll, beforeAll } from 'vitest';

/** A service with an account. */
interface SharedService extends TestService {
  readonly team: Awaited<ReturnType<TestService['account']>>;
}

/** A service for all tests of a file, there while they run. */
export function sharedService(options: TestServiceOptions = {}): SharedService {
  const shared = {} as SharedService;
  beforeAll(async () => {
    Object.assign(shared, await startTestService(options));
    Object.assign(shared, { team: await shared.account('team') });
  });
  // Not there if the service did not start.
  afterAll(() => shared[Symbol.asyncDispose]?.());
  return shared;
}

/** The cookie that a response sets, as a browser sends it. */
export const cookieOf = (response: RawResponse): string => response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
