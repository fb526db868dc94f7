import { compare, subtract } from '@l4desk/decimal';
import { type DecimalString, infoCredits, isDecimalString } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { openOrdersQuery } from '../../api/openOrders.ts';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { spotMetaQuery } from '../../api/spotMeta.ts';
import { userAbstractionQuery } from '../../api/userAbstraction.ts';
import { Button } from '../../ui/button.tsx';
import { aligned, columnDecimals, counted } from '../../ui/format.ts';
import { Age, Ago, Empty, FailedBand } from '../../ui/page/states.tsx';
import { useTime } from '../../ui/use-time.ts';
import type { Reading, TokenAmounts } from '../../wallets/balances/balance-store.ts';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { amountOf, type Token, type WalletEntry } from '../../wallets/balances/sums.ts';
import { roundCredits } from '../../wallets/balances/use-balances.ts';
import { AddressLine } from '../../wallets/wallet-mark.tsx';
import { Amount, absenceOf, FIELD_HINTS, indexText, ValuesAge } from './cells.tsx';
import { type HoldPart, heldBy, holdParts, holdsMargin, holdsMore } from './hold.ts';

interface WalletInspectorProps {
  readonly entry: WalletEntry;
  readonly tokens: readonly Token[];
  readonly onRead: () => void;
  readonly isBusy: boolean;
}

/** Fields of a slot that the page shows by name; any other field is shown as reported. */
const KNOWN: ReadonlySet<string> = new Set(['user', 'balances', 'tokenToAvailableAfterMaintenance']);
const AMOUNTS: ReadonlySet<string> = new Set(['total', 'hold', 'entryNtl']);

/** Everything one wallet reports, and its holds compared with what its open spot orders hold. */
export function WalletInspector({ entry, tokens, onRead, isBusy }: WalletInspectorProps) {
  const { wallet, state, reading } = entry;
  const { moment } = useTime();
  const held = useHeld(entry);
  return (
    <div className="flex flex-col gap-4">
      <section className="flex flex-col gap-1">
        <AddressLine address={wallet.address} />
        {(wallet.group !== '' || wallet.tags.length > 0) && (
          <p className="private text-dim">{[wallet.group, ...wallet.tags].filter((text) => text !== '').join(' · ')}</p>
        )}
        <p className={state.kind === 'ok' ? 'text-dim' : 'text-stale'}>
          <strong>{state.kind}</strong>
          {state.kind === 'error' && (
            <>
              {' '}
              <Ago at={state.failedAt} />
            </>
          )}
          {reading !== undefined && (
            <>
              {' · '}
              <ValuesAge at={reading.at} />, of {moment(reading.at)}
            </>
          )}
        </p>
        {state.kind === 'error' && <p className="num text-12 break-words">{state.text}</p>}
        <div className="flex flex-wrap gap-2">
          <Button look="plain" price={roundCredits(1)} disabled={isBusy} onClick={onRead}>
            Refresh this wallet
          </Button>
          <Link
            to="/orders"
            search={{ w: wallet.address }}
            className="inline-flex h-(--control) items-center px-1 text-accent underline"
          >
            Orders{' '}
          </Link>
        </div>
      </section>
      {reading === undefined ? (
        <Empty>This wallet has not been loaded yet.</Empty>
      ) : (
        <>
          <Balances entry={entry} reading={reading} tokens={tokens} held={held} />
          <OpenOrders held={held} />
          <OtherFields reading={reading} />
        </>
      )}
    </div>
  );
}

type Held = ReturnType<typeof useHeld>;

/**
 * The wallet's open spot orders, loaded on demand; and, if they do not explain a hold, whether the account's balances hold the margin of
 * perps, within the price rule.
 */
function useHeld({ wallet, reading }: WalletEntry) {
  const orders = useQuery({ ...openOrdersQuery(wallet.address), enabled: false });
  const meta = useQuery({ ...spotMetaQuery, enabled: false });
  const parts = orders.data === undefined || meta.data === undefined ? undefined : holdParts(orders.data, meta.data);
  const isUnexplained = parts !== undefined && reading !== undefined && holdsMore(reading.amounts.values(), parts);
  const mayAsk =
    useAutoLoadLimit() >= infoCredits('openOrders') + infoCredits('spotMeta') + infoCredits('userAbstraction');
  const account = useQuery({ ...userAbstractionQuery(wallet.address), enabled: isUnexplained && mayAsk });
  return {
    parts,
    /** Whether holds contain the margin of perps; undefined while that is not known. */
    hasMargin: account.data === undefined ? undefined : holdsMargin(account.data),
    askMargin: () => void account.refetch({ cancelRefetch: false }),
    at: orders.dataUpdatedAt,
    credits: infoCredits('openOrders') + (meta.data === undefined ? infoCredits('spotMeta') : 0),
    isBusy: orders.isFetching || meta.isFetching,
    error: orders.error ?? meta.error,
    ask: () => {
      void orders.refetch({ cancelRefetch: false });
      if (meta.data === undefined) void meta.refetch();
    },
  };
}

interface BalancesProps {
  readonly entry: WalletEntry;
  readonly reading: Reading;
  readonly tokens: readonly Token[];
  readonly held: Held;
}

function Balances({ entry, reading, tokens, held }: BalancesProps) {
  const own = tokens.flatMap((token) => {
    const amounts = amountOf(entry, token);
    return amounts === undefined ? [] : [{ token, amounts }];
  });
  return (
    <section aria-label="Balances as reported" className="flex flex-col gap-3">
      <h3 className="text-12 font-medium text-dim">Balances as reported · {counted(own.length, 'token')}</h3>
      {own.length === 0 && <p>This wallet has no balances.</p>}
      {own.map(({ token, amounts }) => (
        <TokenBalance key={token.id} entry={entry} token={token} amounts={amounts} held={held} />
      ))}
      {reading.state.tokenToAvailableAfterMaintenance === undefined && (
        <p className="text-12 text-dim">
          The response has no tokenToAvailableAfterMaintenance. This is common and does not mean zero.
        </p>
      )}
    </section>
  );
}

interface TokenBalanceProps {
  readonly entry: WalletEntry;
  readonly token: Token;
  readonly amounts: TokenAmounts;
  readonly held: Held;
}

function TokenBalance({ entry, token, amounts, held }: TokenBalanceProps) {
  const tied = held.parts === undefined ? undefined : heldBy(held.parts.parts, token);
  // If nothing is held, neither by balance nor by orders, there is nothing to explain.
  const isIdle = tied === undefined || (isZero(tied) && amounts.hold !== undefined && isZero(amounts.hold));
  const inOrders = isIdle ? undefined : tied;
  const texts = [...FIELDS.flatMap((field) => amounts[field] ?? []), ...(inOrders === undefined ? [] : [inOrders])];
  const decimals = columnDecimals(texts);
  const line = (field: Field) => (
    <div key={field} className="col-span-2 grid grid-cols-subgrid items-baseline">
      <dt title={FIELD_HINTS[field]} className="text-dim">
        {field === 'available' ? 'available after maintenance' : field}
      </dt>
      <dd className="num text-right text-12" data-field={field}>
        <Amount value={amounts[field]} decimals={decimals} absence={absenceOf(entry, token.name, field)} />
      </dd>
    </div>
  );
  return (
    <div className={entry.state.kind === 'ok' ? undefined : 'text-dim'} data-token={token.token ?? token.id}>
      <h4 className="flex justify-between border-b border-line font-medium text-strong">
        {token.name} <span className="num text-11 font-normal text-dim">{indexText(token)}</span>
      </h4>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3">
        {FIELDS.map(line)}
        {inOrders !== undefined && (
          <div className="col-span-2 grid grid-cols-subgrid items-baseline" data-part="explained">
            <dt className="text-dim">in open orders</dt>
            <dd className="num text-right text-12">
              <Amount
                value={inOrders}
                decimals={decimals}
                absence={{ kind: 'none', text: 'No resting order reserves any of it.' }}
              />
            </dd>
          </div>
        )}
      </dl>
      {inOrders !== undefined && amounts.hold !== undefined && (
        <Explained hold={amounts.hold} inOrders={inOrders} held={held} />
      )}
    </div>
  );
}

const isZero = (amount: DecimalString) => !/[1-9]/.test(amount);

interface ExplainedProps {
  readonly hold: DecimalString;
  readonly inOrders: DecimalString;
  readonly held: Held;
}

/** Compares hold with what the orders hold; if they differ, it shows by how much, and whether the kind of account explains it. */
function Explained({ hold, inOrders, held: { hasMargin, askMargin } }: ExplainedProps) {
  const order = compare(hold, inOrders);
  if (order === 0) return <p className="text-12 text-exact">= Hold matches the open orders.</p>;
  const difference = order > 0 ? subtract(hold, inOrders) : subtract(inOrders, hold);
  const amount = <span className="num private">{aligned(difference, 0)}</span>;
  if (order > 0 && hasMargin === true) {
    return (
      <p className="text-12 text-dim">
        Of the hold, {amount} is margin of perps: this is a unified or portfolio-margin account.
      </p>
    );
  }
  if (order > 0 && hasMargin === undefined) {
    return (
      <p className="text-12 text-dim">
        Hold is {amount} more than the open orders account for. Unified and portfolio-margin accounts hold the margin of
        perps too.{' '}
        <Button look="plain" price={infoCredits('userAbstraction')} onClick={askMargin}>
          Ask the kind of account
        </Button>
      </p>
    );
  }
  return (
    <p className="text-12 text-stale">
      ≠ Hold is {amount} {order > 0 ? 'more' : 'less'} than the open orders account for.
    </p>
  );
}

/** The most orders drawn; there may be hundreds. */
const ORDERS_SHOWN = 50;

function OpenOrders({ held }: { readonly held: Held }) {
  const { parts, at, credits, isBusy, error, ask } = held;
  return (
    <section aria-label="Open spot orders" className="flex flex-col gap-2">
      <h3 className="text-12 font-medium text-dim">Hold compared with open spot orders</h3>
      {error !== null && <FailedBand error={error} kept={parts !== undefined} onRetry={ask} credits={credits} />}
      {parts === undefined ? (
        <p>A bid reserves limitPx × sz of the quote token (USDC on an outcome), an ask sz of the base token.</p>
      ) : (
        <>
          <p className="text-dim">
            {counted(parts.parts.length, 'open spot order')}, <Age at={at} />. Balances and orders were loaded at
            different times, so they may differ in a moving market.
          </p>
          {parts.unknown.length > 0 && (
            <p className="text-stale">
              {counted(parts.unknown.length, 'order')} in pairs not on the exchange’s list: not in the sums.
            </p>
          )}
          <ul className="flex flex-col">
            {parts.parts.slice(0, ORDERS_SHOWN).map((part) => (
              <OrderLine key={part.order.oid} part={part} />
            ))}
          </ul>
          {parts.parts.length > ORDERS_SHOWN && (
            <p className="text-dim">{counted(parts.parts.length - ORDERS_SHOWN, 'more order')} in the sums.</p>
          )}
        </>
      )}
      <div>
        <Button look="plain" price={credits} disabled={isBusy} onClick={ask}>
          {isBusy ? 'Loading…' : parts === undefined ? 'Load open orders' : 'Refresh open orders'}
        </Button>
      </div>
    </section>
  );
}

function OrderLine({ part: { order, pair, tokenName, amount } }: { readonly part: HoldPart }) {
  const isBid = order.side === 'B';
  return (
    <li className="num flex flex-col border-b border-line/60 py-0.5 text-12">
      <span className="flex justify-between gap-3">
        <span>
          <span className={isBid ? 'text-bid' : 'text-ask'}>{isBid ? 'B' : 'A'}</span> {pair}
        </span>
        <span className="private text-strong">
          {aligned(amount, 0)} {tokenName}
        </span>
      </span>
      <span className="flex justify-between gap-3 text-dim">
        <span>
          {order.coin === pair ? '' : `${order.coin} · `}oid {order.oid}
        </span>
        <span className="private">
          {order.sz} @ {order.limitPx}
        </span>
      </span>
    </li>
  );
}

function OtherFields({ reading: { state } }: { readonly reading: Reading }) {
  const rest = Object.entries(state).filter(([name]) => !KNOWN.has(name));
  // A value that is no amount is shown here, as reported.
  const ofBalances = state.balances.flatMap(({ coin, token, ...values }) => {
    const more = Object.entries(values).filter(([name, value]) => !AMOUNTS.has(name) || !isDecimalString(value));
    return more.length === 0 ? [] : [{ coin, token, ...Object.fromEntries(more) }];
  });
  if (rest.length + ofBalances.length === 0) return null;
  const others = { ...Object.fromEntries(rest), ...(ofBalances.length > 0 && { balances: ofBalances }) };
  return (
    <section aria-label="Other fields">
      <h3 className="text-12 font-medium text-dim">Other fields as reported</h3>
      <pre className="num private max-h-64 overflow-auto text-11 whitespace-pre-wrap">
        {JSON.stringify(others, null, 1)}
      </pre>
    </section>
  );
}
