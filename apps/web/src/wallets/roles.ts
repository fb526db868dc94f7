import { type Address, isAddress, isObject, lowerCaseAddress } from '@l4desk/protocol';

/** What an address is, as far as its role says. */
export type RoleFact =
  | { readonly kind: 'agent' | 'sub-account'; readonly of: Address | undefined }
  | { readonly kind: 'vault' | 'missing' | 'plain' };

export type RoleFacts = ReadonlyMap<Address, RoleFact>;

export interface UserRole {
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
