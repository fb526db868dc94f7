import type { Address } from '@l4desk/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { PriceRule, useAutoLoadLimit } from '../../api/price-rule.tsx';
import { useGrants } from '../../api/use-grants.ts';
import { useNowEvery, useOpenedAt } from '../../hooks/use-now.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { Button } from '../../ui/button.tsx';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { isRefusal } from '../../ui/page/advice.ts';
import { Page, RefreshButton } from '../../ui/page/page.tsx';
import { Age, Loading, NotLoaded } from '../../ui/page/states.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { unitsOf } from '../../ui/table/sorted-rows.ts';
import { sortText } from '../../ui/table/table-column.ts';
import { SearchField } from '../../ui/text-field.tsx';
import { FIELDS } from '../../wallets/balances/fields.ts';
import { countedText, dueOf, emptyOf, entriesOf, failedOf, tokensOf, unreadOf } from '../../wallets/balances/sums.ts';
import { readBalances, roundCredits, useAutoRead, useBalances } from '../../wallets/balances/use-balances.ts';
import { DexFacet } from '../../wallets/dex-facet.tsx';
import { NoWallets } from '../../wallets/no-wallets.tsx';
import { unknownModes, useValue, valueCredits } from '../../wallets/value/use-value.ts';
import { useChosenWallets, walletChoiceOf } from '../../wallets/wallet-choice.ts';
import { WalletPicker } from '../../wallets/wallet-picker.tsx';
import { useRoles, WalletNotices } from '../../wallets/wallet-roles.tsx';
import { BalancesGrid } from './balances-grid.tsx';
import { BalancesInspector } from './balances-inspector.tsx';
import { FIELD_TEXTS } from './cells.tsx';
import { AutoControl, DustControl, NextRefresh, PrivacyButton, ValueBar } from './controls.tsx';
import { FailedNotice, StaleNotice } from './failed-notice.tsx';
import { BALANCE_EXPORT, listRows } from './list-rows.tsx';
import { type InSight, searched, withoutDust } from './pivot.ts';
import { balancesSearch, fieldText, refusedSort, VIEWS, type View } from './search.ts';
import { useAutoRefresh } from './use-auto-refresh.ts';

const NO_WALLETS: readonly Address[] = [];

const LOOK_MS = 15_000;

/** Spot balances of many wallets as two pivots and a list, with exact sums that name the wallets missing from them. */
export function BalancesPage() {
  const { choices, invalid, change, refusing } = usePageSearch(balancesSearch);
  const { view = 'wallets', field = 'total', q = '', dust } = choices;
  const choice = walletChoiceOf(choices, invalid);
  const { wallets, missingGroups } = useChosenWallets(choice);
  const balances = useBalances();
  const now = useNowEvery(LOOK_MS);
  const queryClient = useQueryClient();

  const entries = useMemo(() => entriesOf(wallets, balances, now), [wallets, balances, now]);
  const all = useMemo(() => tokensOf(entries), [entries]);
  const scope = useMemo(() => searched(entries, all, q), [entries, all, q]);
  const onlyFailed = choices.failed === true;
  const shown = useMemo(() => {
    const { entries: large, tokens } = withoutDust(scope.entries, scope.tokens, dust);
    return { entries: onlyFailed ? failedOf(large) : large, tokens };
  }, [scope, dust, onlyFailed]);
  const { sort, open, group: grouping } = choices;
  const areTokensKnown = entries.length > 0 && entries.every(({ reading }) => reading !== undefined);
  const held = useMemo(() => (areTokensKnown ? new Set(all.map(({ id }) => id)) : undefined), [areTokensKnown, all]);
  const isRolledUp = grouping === 'master' && (view === 'wallets' || view === 'value');
  const isOpen = open !== undefined;
  // Back closes the inspector, whatever was looked at in it.
  const onOpen = useCallback((next: string) => change({ open: next }, isOpen ? 'replace' : 'open'), [change, isOpen]);
  const limit = useAutoLoadLimit();
  const isValue = view === 'value' || view === 'positions';
  const dexKey = choices.dex?.join() ?? '';
  const dexes = useMemo(() => ['', ...(dexKey === '' ? [] : dexKey.split(','))], [dexKey]);
  const openedAt = useOpenedAt();
  const due = roundCredits(dueOf(entries, openedAt).length);
  const addresses = useMemo(() => wallets.map(({ address }) => address), [wallets]);
  const isBusy = balances.progress !== undefined;
  const grants = useGrants(`${dexKey} ${addresses.join()}`, [
    { id: 'balances', credits: balances.isRestored ? due : undefined },
    // Balances first: without them every worth would look partial, and they say which accounts may be unified.
    {
      id: 'value',
      credits:
        isValue && due === 0 && !isBusy
          ? valueCredits(entries, dexes.length, unknownModes(queryClient, entries))
          : undefined,
    },
  ]);
  const hasReadings = entries.some(({ reading, state }) => reading !== undefined || state.kind === 'error');
  const value = useValue(entries, isValue && grants.has('value'), dexes, scope.entries);
  // While the balances are read, a value that is not shown yet waits for them: nothing offers to load it.
  const isReady = hasReadings && !(isValue && isBusy && value.at === undefined);
  const loadValue = () => {
    grants.press('value');
    value.load();
  };
  const [chooserSlot, setChooserSlot] = useState<Element | null>(null);

  const credits = roundCredits(addresses.length);
  const creditsInView = credits + (isValue ? value.credits : 0);
  const roles = useRoles(isRolledUp ? addresses : NO_WALLETS, creditsInView);
  const read = (users: readonly Address[]) => void readBalances(queryClient, users);
  const refresh = () => {
    read(addresses);
    if (isValue) loadValue();
  };
  // A refusal of the value alone leaves the balances.
  const withValue = isValue && value.at !== undefined && !isRefusal(value.error);
  const autoCredits = credits + (withValue ? value.credits : 0);
  const auto = useAutoRefresh({
    credits: autoCredits,
    refused: isRefusal(balances.fault?.error),
    refresh: () => {
      read(addresses);
      if (withValue) value.load();
    },
  });

  const showFailed = (only: boolean) => change({ failed: only });
  const failed = failedOf(entries);
  const stale = entries.filter(({ state }) => state.kind === 'stale');
  const unread = unreadOf(entries);
  const waiting = useAutoRead(entries, balances, limit);
  const empty = useMemo(() => emptyOf(entries), [entries]);
  const oldest = entries.reduce((at, { reading }) => Math.min(at, reading?.at ?? at), Number.POSITIVE_INFINITY);

  return (
    <Page
      title="Balances"
      view={`${counted(wallets.length, 'wallet')}, ${VIEW_TEXTS[view].text}${onlyFailed ? ', failed only' : ''}`}
      search={refusing(refusedSort(view, sort, held))}
      controls={
        <>
          <WalletPicker choice={choice} onChange={(w) => change({ w, open: undefined })} />
          <Segmented
            name="View"
            value={view}
            options={VIEWS.map((value) => ({ value, ...VIEW_TEXTS[value] }))}
            onChange={(next) => change({ view: next === 'wallets' ? undefined : next, sort: undefined })}
          />
          {isValue && <DexFacet chosen={choices.dex} textOf={String} onChange={(dex) => change({ dex })} />}
          {(view === 'wallets' || view === 'tokens') && (
            <Select
              name="Field"
              caption=""
              value={field}
              options={FIELDS.map((value) => ({ value, text: FIELD_TEXTS[value] }))}
              onChange={(next) => change({ field: fieldText(next) })}
            />
          )}
          <SearchField
            name="Search wallets and tokens"
            placeholder="Wallet or token"
            value={q}
            onChange={(text) => change({ q: text || undefined })}
          />
          {view === 'wallets' && (
            <Button
              aria-pressed={grouping === '1'}
              onClick={() => change({ group: grouping === '1' ? undefined : '1' })}
            >
              Group
            </Button>
          )}
          {(view === 'wallets' || view === 'value') && (
            <Button
              aria-pressed={isRolledUp}
              title="Sub-accounts among these wallets under their master, with exact sums"
              onClick={() => change({ group: isRolledUp ? undefined : 'master' })}
            >
              Sub-accounts
            </Button>
          )}
          {!isValue && <DustControl dust={dust} onChange={(limit) => change({ dust: limit })} />}
          {onlyFailed && failed.length === 0 && (
            <Button aria-pressed onClick={() => showFailed(false)}>
              Failed only
            </Button>
          )}
          {/* As wide as what comes into it, so that the line does not wrap then. */}
          <span ref={setChooserSlot} className="max-sm:contents sm:min-w-8" />
          <PrivacyButton />
          <ExportMenu
            name={['balances']}
            description={exportDescription(shown)}
            columns={BALANCE_EXPORT}
            rows={() => listRows(shown.entries, shown.tokens, unitsOf(dust))}
            facts={() => ({ kind: 'batchSpotClearinghouseState', wallets: countedText(shown.entries) })}
          />
          {!isValue && (
            <Button
              aria-pressed={open === 'changes'}
              onClick={() => (open === 'changes' ? change({ open: undefined }) : onOpen('changes'))}
            >
              Changes {balances.journal.changes.length}
            </Button>
          )}
        </>
      }
      state={
        <>
          {addresses.length > 0 && <AutoControl auto={auto} credits={autoCredits} />}
          {balances.progress === undefined ? (
            <RefreshButton
              page="Balances"
              what={isValue ? 'balances and value' : 'balances'}
              credits={creditsInView || undefined}
              isBusy={addresses.length === 0 || (isValue && value.isFetching)}
              run={refresh}
            />
          ) : (
            <output className="num text-end sm:min-w-[23ch]">
              {balances.progress.walletsDone} of {counted(balances.progress.walletsTotal, 'wallet')}…
            </output>
          )}
        </>
      }
      notices={
        <>
          <FailedNotice
            {...{ balances, failed, isBusy, onlyFailed }}
            wallets={wallets.length}
            onOnlyFailed={showFailed}
            onRetry={read}
          />
          {stale.length > 0 && balances.fault === undefined && (
            <StaleNotice stale={stale} isBusy={isBusy} onRead={read} />
          )}
          {isRolledUp && (roles.error !== undefined || (roles.unknown > 0 && !roles.isRequested)) && (
            <Notice
              action={
                <Button look="plain" price={roles.credits} onClick={roles.load}>
                  Load their roles
                </Button>
              }
            >
              {roles.error === undefined
                ? `Which of ${counted(roles.unknown, 'wallet')} are sub-accounts is not known yet.`
                : `The roles of ${counted(roles.unknown, 'wallet')} could not be loaded: ${roles.error.message}.`}
            </Notice>
          )}
          {isValue && scope.entries.length > 0 && <ValueBar value={value} onLoad={isReady ? loadValue : undefined} />}
          {hasReadings && waiting > 0 && !isBusy && (
            <Notice
              action={
                <Button look="plain" price={waiting} onClick={() => read(unread)}>
                  Load {unread.length === 1 ? 'it' : 'them'}
                </Button>
              }
            >
              {counted(unread.length, 'wallet')} {unread.length === 1 ? 'has' : 'have'} not been loaded and{' '}
              {unread.length === 1 ? 'is' : 'are'} not in the sums.
            </Notice>
          )}
        </>
      }
      notes={
        <WalletNotices
          {...{ missingGroups, empty, choice }}
          credits={creditsInView}
          onChange={(w) => change({ w, open: undefined })}
        />
      }
      inspector={
        open !== undefined && <BalancesInspector entries={entries} scope={scope.entries} tokens={all} onRead={read} />
      }
      status={
        <>
          <span>
            {countedText(entries)} · {counted(all.length, 'token')}
            {hiddenText(scope, shown, onlyFailed)}
            {Number.isFinite(oldest) && (
              <>
                {' · oldest data '}
                <Age at={oldest} />
              </>
            )}
            <span className="max-sm:hidden">
              {isValue ? ' · USDC in whole cents, exact in the tooltips' : ' · as reported, never rounded'}
            </span>
          </span>
          <PriceRule />
          <NextRefresh auto={auto} credits={autoCredits} />
        </>
      }
    >
      {wallets.length === 0 ? (
        <NoWallets />
      ) : isReady ? (
        <BalancesGrid
          {...{ view, value, field, grouping, dust, scope, shown, onlyFailed, sort, open, onOpen, chooserSlot }}
          roles={roles.facts}
          onSort={(next) => change({ sort: sortText(next) })}
        />
      ) : !balances.isRestored ? (
        <Loading what="saved balances" />
      ) : waiting === 0 && balances.fault === undefined ? (
        <Loading what="balances" />
      ) : (
        <NotLoaded
          action={isBusy ? 'Loading…' : `Load ${counted(wallets.length, 'wallet')}`}
          {...{ credits, isBusy }}
          onLoad={() => read(addresses)}
        >
          No balances loaded yet. One call covers up to 50 wallets: every token balance, exact sums, and which wallets
          failed.
        </NotLoaded>
      )}
    </Page>
  );
}

const VIEW_TEXTS: Readonly<Record<View, { readonly text: string; readonly hint: string }>> = {
  wallets: { text: 'Wallets', hint: 'One row per wallet, one column per token' },
  tokens: { text: 'Tokens', hint: 'One row per token, one column per wallet' },
  list: { text: 'List', hint: 'One row per balance, with every field' },
  value: { text: 'Value', hint: 'What each wallet is worth in USDC: spot balances at mid, and perps' },
  positions: { text: 'Positions', hint: 'Every open perp position, the nearest to liquidation first' },
};

/** A failed wallet is exported with its last good values, its state and its message. */
function exportDescription({ entries, tokens }: InSight): string {
  const failed = failedOf(entries).length;
  return `${counted(entries.length, 'wallet')} and ${counted(tokens.length, 'token')} in view: every field as reported, one row per balance${failed === 0 ? '' : `; ${failed} failed, with the last good values`}.`;
}

function hiddenText(scope: InSight, shown: InSight, onlyFailed: boolean): string {
  const wallets = scope.entries.length - shown.entries.length;
  const tokens = scope.tokens.length - shown.tokens.length;
  const hidden = [wallets > 0 && counted(wallets, 'wallet'), tokens > 0 && counted(tokens, 'token')].filter(Boolean);
  return hidden.length === 0
    ? ''
    : ` · ${hidden.join(' and ')} hidden${onlyFailed ? '' : ' as dust'}, still in the sums`;
}
