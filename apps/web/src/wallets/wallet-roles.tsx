import { type Address, infoCredits } from '@l4desk/protocol';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useMayLoad } from '../api/price-rule.tsx';
import { useDueQueries, useRepeatOnce } from '../api/use-due-queries.ts';
import { userRoleQuery } from '../api/userRole.ts';
import { useKnownMissing } from '../state/recents.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { counted } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { adviceOf } from '../ui/page/advice.ts';
import { type RoleFacts, roleFactOf, type UserRole } from './roles.ts';
import { plainWallet } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';
import type { WalletChoice } from './wallet-choice.ts';
import { WalletName } from './wallet-mark.tsx';

/**
 * The roles of wallets. They are loaded automatically if that, besides the credits that the page spends anyway, is within the
 * price rule, otherwise after `load`. `users` must be stable.
 */
export function useRoles(users: readonly Address[], besides: number) {
  const queries = useMemo(() => users.map(userRoleQuery), [users]);
  const due = useDueQueries(queries, Number.POSITIVE_INFINITY);
  const { mayLoad: isRequested, press } = useMayLoad(users.join(), due.length * infoCredits('userRole'), besides);
  useRepeatOnce(due, isRequested);
  const requested = useMemo(() => queries.map((query) => ({ ...query, enabled: isRequested })), [queries, isRequested]);
  const { responses, error, retry } = useQueries({ queries: requested, combine: combineRoles });
  const facts: RoleFacts = useMemo(
    () => new Map(users.flatMap((user, at) => (responses[at] ? [[user, roleFactOf(responses[at])]] : []))),
    [users, responses],
  );
  const unknown = users.length - facts.size;
  const load = () => {
    press();
    retry();
  };
  return { facts, isRequested, unknown, credits: unknown * infoCredits('userRole'), error, load };
}

function combineRoles(results: readonly UseQueryResult<UserRole>[]) {
  return {
    responses: results.map(({ data }) => data),
    error: results.find(({ isError }) => isError)?.error ?? undefined,
    retry: () => {
      for (const { isError, refetch } of results) if (isError) void refetch();
    },
  };
}

interface WalletNoticesProps {
  /** Groups of the choice that the address book does not have. */
  readonly missingGroups: readonly string[];
  /** Wallets for which every response is empty. Pass a stable list. */
  readonly empty: readonly Address[];
  /** What the page loads automatically besides; all together is under the price rule. */
  readonly credits: number;
  readonly choice: WalletChoice | undefined;
  readonly onChange: (choice: WalletChoice | undefined) => void;
}

/**
 * Says which groups are missing, and of wallets that report nothing whether they are agents, sub-accounts or vaults, and leads to the
 * wallet meant (D74).
 */
export function WalletNotices({ missingGroups, empty, credits, choice, onChange }: WalletNoticesProps) {
  const isAwaited = useWalletBook((book) => book.awaitsWallets);
  const { facts: roles, isRequested, unknown, credits: price, error: failed, load } = useRoles(empty, credits);
  const facts = [...roles].flatMap(([user, fact]) => (fact.kind === 'plain' ? [] : [{ user, fact }]));
  const { items: known, note } = useKnownMissing();
  const missing = facts.flatMap(({ user, fact }) => (fact.kind === 'missing' ? user : []));
  const areDismissed = choice === undefined && missing.every((user) => known.includes(user));
  const isUnknown = !isRequested && unknown > 0;
  // Without anything left the choice would be the whole address book, which would be loaded.
  const left = choice?.filter((item) => !missingGroups.includes(item.slice(2))) ?? [];
  return (
    <>
      {missingGroups.length > 0 && !isAwaited && (
        <Notice {...(left.length > 0 && { onDismiss: () => onChange(left) })}>
          This browser’s address book has no group {missingGroups.map((name) => `“${name}”`).join(', ')}.
        </Notice>
      )}
      {missing.length > 0 && !areDismissed && (
        <Line
          action={
            choice === undefined && (
              <IconButton icon={X} name="Dismiss these addresses" onClick={() => note(...missing)} />
            )
          }
        >
          The exchange does not know {counted(missing.length, 'address', 'addresses')}:{' '}
          {missing.slice(0, NAMES_SHOWN).map((user) => (
            <span key={user} className="mr-2">
              <Name of={user} />
            </span>
          ))}
          {missing.length > NAMES_SHOWN && `+${missing.length - NAMES_SHOWN}`}
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
            <Button look="plain" price={price} onClick={load}>
              Load {empty.length === 1 ? 'its role' : 'their roles'}
            </Button>
          }
        >
          {counted(empty.length, 'wallet')} {empty.length === 1 ? 'reports' : 'report'} nothing. An agent, a sub-account
          or a vault may look like that.
        </Line>
      )}
      {failed !== undefined && (
        <Line>The roles of empty wallets could not be loaded: {adviceOf(failed, 'utc').title}.</Line>
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
    <span className="inline-flex max-w-full align-bottom" title={of}>
      <WalletName wallet={known ?? plainWallet(of)} />
    </span>
  );
}

/** The choice with another wallet in place of one; a choice of everything becomes that wallet alone. */
function switched(choice: WalletChoice | undefined, from: Address, to: Address): WalletChoice {
  if (choice?.includes(from) !== true) return [to];
  return [...new Set(choice.map((item) => (item === from ? to : item)))];
}

function Line({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <output className="flex flex-wrap items-center justify-between gap-x-3 border-t border-line bg-surface-1 px-3 py-1">
      <span className="min-w-0 grow basis-64">{children}</span>
      {action}
    </output>
  );
}
