import { CLOSE_CODES } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { Authoriser, Principal } from '../http/auth/principal.ts';
import type { Connection } from './connection.ts';
import type { Minutes } from './minutes.ts';

interface RecheckDeps {
  readonly authoriser: Authoriser;
  readonly minutes: Minutes;
  readonly log: Log;
}

/** Checks each credential or session once (D24), credits one account after another: live charges do not wait. */
export async function recheckCredentials(all: Iterable<Connection>, deps: RecheckDeps): Promise<void> {
  const checked = await Promise.all(
    [...byCredential(all)].map(async ([principal, connections]) => {
      const isValid = await isStillValid(principal, deps);
      if (!isValid) closeRevoked(principal, connections);
      return { principal, connections, isValid };
    }),
  );
  for (const { principal, connections, isValid } of checked)
    if (isValid) await closeIdleWithoutCredits(principal, connections, deps.minutes);
}

function closeRevoked({ via }: Principal, connections: readonly Connection[]): void {
  const reason = via === 'session' ? 'signed out or key revoked' : 'key revoked';
  for (const connection of connections) connection.close(CLOSE_CODES.keyRevoked, reason);
}

function byCredential(all: Iterable<Connection>): Iterable<readonly [Principal, readonly Connection[]]> {
  const groups = new Map<string, readonly [Principal, Connection[]]>();
  for (const connection of all) {
    const { principal } = connection;
    const key = `${principal.credentialId} ${principal.via === 'session' ? principal.sessionId : ''}`;
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [principal, [connection]]);
    else same[1].push(connection);
  }
  return groups.values();
}

/** Connections that follow coins close when their next minute cannot be paid. The idle ones are closed here (D24). */
async function closeIdleWithoutCredits(
  principal: Principal,
  connections: readonly Connection[],
  minutes: Minutes,
): Promise<void> {
  if (!connections.some((connection) => connection.isIdle)) return;
  const refusal = await minutes.refusal(principal);
  if (refusal?.code !== 'credits_exhausted') return;
  for (const connection of connections)
    if (connection.isIdle) connection.close(CLOSE_CODES.creditsExhausted, 'credits exhausted');
}

/** An unreachable database does not count as a revoked credential. The next round checks again. */
async function isStillValid(principal: Principal, { authoriser, log }: RecheckDeps): Promise<boolean> {
  try {
    return await authoriser.stillValid(principal);
  } catch (error) {
    log.warn({ err: error }, 'credential not rechecked');
    return true;
  }
}
