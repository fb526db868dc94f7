import { type Address, INFO_CREDITS, isAddress, lowerCaseAddress } from '@l4desk/protocol';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAutoLoadLimit } from '../api/price-rule.tsx';
import { userRoleQuery } from '../api/userRole.ts';
import { Button } from '../ui/button.tsx';
import { counted } from '../ui/format.ts';
import { adviceOf } from '../ui/page/advice.ts';
import { PriceTag } from '../ui/price-tag.tsx';
import { WithNumbers } from '../ui/with-numbers.tsx';
import { plainWallet } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';
import type { WalletChoice } from './wallet-choice.ts';
import { WalletName } from './wallet-mark.tsx';

/** Why the exchange reports nothing for an address, as far as its role says. */
type RoleFact =
  | { readonly kind: 'agent' | 'sub-account'; readonly of: Address | undefined }
  | { readonly kind: 'vault' | 'missing' | 'plain' };

/** The response to `userRole`: `{"role":"agent","data":{"user":"0x…"}}`, or `master` for a sub-account. */
function roleFactOf({ role, ...rest }: { readonly role: string; readonly [field: string]: unknown }): RoleFact {
  const data = typeof rest.data === 'object' && rest.data !== null ? rest.data : {};
  const named = (value: unknown) => (isAddress(value) ? lowerCaseAddress(value) : undefined);
  if (role === 'agent') return { kind: 'agent', of: named('user' in data ? data.user : undefined) };
  if (role === 'subAccount') return { kind: 'sub-account', of: named('master' in data ? data.master : undefined) };
  return { kind: role === 'vault' || role === 'missing' ? role : 'plain' };
}

interface WalletRolesProps {
  /** Wallets for which every response is empty. Pass a stable list. */
  readonly empty: readonly Address[];
  /** What the page loads automatically besides; all together is under the price rule. */
  readonly credits: number;
  readonly choice: WalletChoice | undefined;
  readonly onChange: (choice: WalletChoice) => void;
}

/** Says of wallets that report nothing whether they are agents, sub-accounts or vaults, and leads to the wallet meant (D74). */
export function WalletRoles({ empty, credits, choice, onChange }: WalletRolesProps) {
  const limit = useAutoLoadLimit();
  const [pressed, setPressed] = useState<readonly Address[]>();
  const price = empty.length * INFO_CREDITS.userRole;
  const isAsked = pressed === empty || credits + price <= limit;
  const responses = useQueries({ queries: empty.map((user) => ({ ...userRoleQuery(user), enabled: isAsked })) });
  if (empty.length === 0) return null;
  const facts = responses.flatMap(({ data }, at) => {
    const user = empty[at];
    const fact = data && roleFactOf(data);
    return user === undefined || fact === undefined || fact.kind === 'plain' ? [] : [{ user, fact }];
  });
  const missing = facts.filter(({ fact }) => fact.kind === 'missing').map(({ user }) => user);
  const isUnknown = !isAsked && responses.some(({ data }) => data === undefined);
  const failed = responses.find(({ isError }) => isError)?.error;
  return (
    <>
      {missing.length > 0 && (
        <Line>
          <WithNumbers text={`The exchange does not know ${counted(missing.length, 'address', 'addresses')}: `} />
          {missing.slice(0, NAMES_SHOWN).map((user) => (
            <Name key={user} of={user} />
          ))}
          {missing.length > NAMES_SHOWN && <WithNumbers text={`+${missing.length - NAMES_SHOWN}`} />}
        </Line>
      )}
      {facts.map(({ user, fact }) =>
        fact.kind === 'missing' ? null : (
          <Line
            key={user}
            action={
              'of' in fact &&
              fact.of !== undefined && (
                <Button look="plain" onClick={() => onChange(switched(choice, user, fact.of ?? user))}>
                  Look at that wallet
                </Button>
              )
            }
          >
            <Name of={user} /> reports nothing: {'of' in fact ? <Owned fact={fact} /> : 'it is a vault.'}
          </Line>
        ),
      )}
      {isUnknown && (
        <Line
          action={
            <Button look="plain" onClick={() => setPressed(empty)}>
              Ask what {empty.length === 1 ? 'it is' : 'they are'} <PriceTag credits={price} />
            </Button>
          }
        >
          <WithNumbers
            text={`${counted(empty.length, 'wallet')} ${empty.length === 1 ? 'reports' : 'report'} nothing.`}
          />{' '}
          An agent, a sub-account or a vault may look like that.
        </Line>
      )}
      {failed !== undefined && failed !== null && (
        <Line>What empty wallets are could not be loaded: {adviceOf(failed, 'utc').title}.</Line>
      )}
    </>
  );
}

/** The most unknown addresses named; the others are counted. */
const NAMES_SHOWN = 6;

function Owned({ fact: { kind, of } }: { readonly fact: { readonly kind: string; readonly of: Address | undefined } }) {
  if (of === undefined) return `it is ${kind === 'agent' ? 'an agent' : 'a sub-account'}.`;
  return (
    <>
      it is {kind === 'agent' ? 'an agent' : 'a sub-account'} of <Name of={of} />
      {kind === 'agent' ? '. Balances and orders are those of that wallet.' : '.'}
    </>
  );
}

function Name({ of }: { readonly of: Address }) {
  const known = useWalletBook((book) => book.wallets.find(({ address }) => address === of));
  return (
    <span className="mr-2 inline-flex max-w-full align-bottom" title={of}>
      <WalletName wallet={known ?? plainWallet(of)} />
    </span>
  );
}

/** The choice with another wallet in place of one; a choice of everything becomes that wallet alone. */
function switched(choice: WalletChoice | undefined, from: Address, to: Address): WalletChoice {
  if (choice?.includes(from) !== true) return [to];
  return [...new Set(choice.map((item) => (item === from ? to : item)))];
}

interface LineProps {
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

function Line({ children, action }: LineProps) {
  return (
    <output className="flex flex-wrap items-center justify-between gap-x-3 border-b border-line bg-surface-1 px-3 py-1">
      <span>{children}</span>
      {action}
    </output>
  );
}
