import { changeAccount } from '../state/account.ts';

/** Signs an account in on the page whose browser stores this value from an earlier visit. */
export function enterWith(account: string, stored: Readonly<Record<string, unknown>>): void {
  changeAccount(undefined);
  for (const [name, state] of Object.entries(stored))
    localStorage.setItem(`${name}.${account}`, JSON.stringify({ state, version: 1 }));
  changeAccount(account);
}
