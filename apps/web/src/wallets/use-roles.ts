import { type Address, INFO_CREDITS, isAddress, isObject, lowerCaseAddress } from '@l4desk/protocol';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAutoLoadLimit } from '../api/price-rule.tsx';
import { userRoleQuery } from '../api/userRole.ts';

/** What an address is, as far as its role says. */
export type RoleFact =
  | { readonly kind: 'agent' | 'sub-account'; readonly of: Address | undefined }
  | { readonly kind: 'vault' | 'missing' | 'plain' };

export type RoleFacts = ReadonlyMap<Address, RoleFact>;

interface UserRole {
  readonly role: string;
  readonly [field: string]: unknown;
}

/** Reads `{"role":"agent","data":{"user":"0x…"}}`, or `master` for a sub-account. */
export function roleFactOf({ role, data }: UserRole): RoleFact {
  const named = (value: unknown) => (isAddress(value) ? lowerCaseAddress(value) : undefined);
  const fields = isObject(data) ? data : {};
  if (role === 'agent') return { kind: 'agent', of: named(fields.user) };
  if (role === 'subAccount') return { kind: 'sub-account', of: named(fields.master) };
  return { kind: role === 'vault' || role === 'missing' ? role : 'plain' };
}

/** The account that a wallet is rolled up under: its master if it is a sub-account, otherwise the wallet itself. */
export function masterOf(facts: RoleFacts, address: Address): Address {
  const fact = facts.get(address);
  return (fact?.kind === 'sub-account' ? fact.of : undefined) ?? address;
}

/**
 * The roles of wallets. They are asked for automatically if that, besides the credits that the page spends anyway, is within the
 * price rule, otherwise after `press`. `users` must be stable.
 */
export function useRoles(users: readonly Address[], besides: number) {
  const limit = useAutoLoadLimit();
  const key = users.join();
  const [pressed, setPressed] = useState<string>();
  const isAsked = pressed === key || besides + users.length * INFO_CREDITS.userRole <= limit;
  const { responses, error } = useQueries({
    queries: users.map((user) => ({ ...userRoleQuery(user), enabled: isAsked })),
    combine: combineRoles,
  });
  const facts: RoleFacts = useMemo(
    () => new Map(users.flatMap((user, at) => (responses[at] ? [[user, roleFactOf(responses[at])]] : []))),
    [users, responses],
  );
  const unknown = users.length - facts.size;
  return { facts, isAsked, unknown, credits: unknown * INFO_CREDITS.userRole, error, press: () => setPressed(key) };
}

function combineRoles(results: readonly UseQueryResult<UserRole>[]) {
  return {
    responses: results.map(({ data }) => data),
    error: results.find(({ isError }) => isError)?.error ?? undefined,
  };
}
