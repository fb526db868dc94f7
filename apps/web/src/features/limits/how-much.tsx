import type { DecimalString } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { coinsQuery } from '../../api/session.ts';
import { columnDecimals, decimalText, grouped } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { orNothing, readAmount, TypedField } from '../../ui/text-field.tsx';
import { type Bucket, type LimitAt, overBy } from './buckets.ts';
import { CoinAmount } from './coin-amount.tsx';
import { limitsSearch } from './search.ts';

type Choices = ReturnType<typeof limitsSearch.read>;

interface HowMuchProps {
  readonly buckets: readonly Bucket[];
  readonly limit: LimitAt | undefined;
  readonly choices: Choices;
  readonly change: (next: Choices) => void;
}

/** “How much can I send at N×”: the result, and the rule behind it. */
export function HowMuch({ buckets, limit, choices, change }: HowMuchProps) {
  const { n: leverage, ntl: notional, side = 'buy' } = choices;
  const coins = useQuery(coinsQuery).data?.coins ?? [];
  const chosen = coins.find(({ coin }) => coin === choices.coin);
  return (
    <Panel title="How much can I send?">
      <p className="text-12 text-dim">
        The exchange limits the notional of a single market order by leverage. Choose a coin to see how much of it that
        is now, and what its live book would charge.
      </p>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="w-24">
          <TypedField
            label="Leverage"
            unit="×"
            value={leverage === undefined ? '' : String(leverage)}
            error="Enter a whole number from 1 to 1000, such as 20."
            read={readLeverage}
            onChange={(next) => change({ n: next ?? undefined })}
          />
        </div>
        <div className="w-44">
          <TypedField
            label="Your order (optional)"
            unit="USD"
            value={notional ?? ''}
            error="Enter an amount, such as 250000.50."
            read={readNotional}
            onChange={(next) => change({ ntl: next ?? undefined })}
          />
        </div>
        <div className="flex flex-col gap-0.5">
          <span className="text-12 text-dim">Coin, at its maximum</span>
          <Select
            name="A coin’s maximum leverage"
            caption=""
            value={chosen?.coin ?? ''}
            disabled={coins.length === 0}
            options={[
              { value: '', text: 'any coin' },
              ...coins.map((each) => ({ value: each.coin, text: `${each.coin} ${each.maxLeverage}×` })),
            ]}
            onChange={(value) => {
              const found = coins.find(({ coin }) => coin === value);
              change({ coin: found?.coin, n: found?.maxLeverage ?? leverage });
            }}
          />
        </div>
      </div>
      <output className="answer block min-h-[104px]" data-part="result">
        {leverage === undefined || limit === undefined ? (
          <p className="text-dim">Enter a leverage, or select one in the table.</p>
        ) : (
          <>
            <Result buckets={buckets} leverage={leverage} limit={limit} notional={notional} />
            {chosen !== undefined && limit.kind === 'bucket' && (
              <CoinAmount
                coin={chosen}
                leverage={leverage}
                largest={limit.bucket.maxNotional}
                side={side}
                onSide={(next) => change({ side: next === 'buy' ? undefined : next })}
              />
            )}
          </>
        )}
      </output>
    </Panel>
  );
}

const readLeverage = orNothing((text) => limitsSearch.read({ n: text.replace(/\s*[×x]$/i, '') }).n);
const readNotional = orNothing(readAmount);

interface ResultProps {
  readonly buckets: readonly Bucket[];
  readonly leverage: number;
  readonly limit: LimitAt;
  readonly notional: DecimalString | undefined;
}

function Result({ buckets, leverage, limit, notional }: ResultProps) {
  if (limit.kind === 'none') return <p>The exchange lists no buckets, so there is no limit to show.</p>;
  if (limit.kind === 'beyond') {
    return (
      <>
        <p className="text-15 text-strong">No limit is listed at {leverage}×.</p>
        <p className="mt-1 text-dim">
          The highest bucket ends at {limit.highest.maxLeverage}×. The exchange does not say what applies above it.
        </p>
      </>
    );
  }
  const { bucket, below } = limit;
  const over = notional && overBy(bucket, notional);
  const decimals = columnDecimals(buckets.map(({ maxNotional }) => maxNotional));
  return (
    <>
      <p className="text-12 text-dim">Largest single market order at {leverage}×</p>
      <p className="num text-20 text-strong" data-part="limit">
        {decimalText(bucket.maxNotional, decimals)} <span className="text-13 text-dim">USD</span>
      </p>
      {notional !== undefined && (
        <p data-part="verdict" className={over === undefined ? undefined : 'text-stale'}>
          {over === undefined ? '✓' : '✗'} <span className="num text-12">{grouped(notional)} USD</span>{' '}
          {over === undefined ? 'is within the limit' : 'exceeds it by '}
          {over !== undefined && <span className="num text-12">{grouped(over)} USD</span>}.
        </p>
      )}
      <p className="mt-1 text-dim">
        {bucket.maxLeverage === leverage
          ? `${leverage}× is the top of its bucket.`
          : `${leverage}× falls in the bucket up to ${bucket.maxLeverage}×, the lowest one that covers it.`}
        {below !== undefined &&
          ` The bucket below it, up to ${below.maxLeverage}×, allows ${decimalText(below.maxNotional, decimals)} USD.`}
      </p>
    </>
  );
}
