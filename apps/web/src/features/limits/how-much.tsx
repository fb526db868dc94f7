import type { DecimalString } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { coinsQuery } from '../../api/session.ts';
import type { TakerSide } from '../../book-worker/panes/sweep.ts';
import { columnDecimals, decimalText, grouped } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { orNothing, readAmount, TypedField } from '../../ui/text-field.tsx';
import { type Bucket, type LimitAt, overBy } from './buckets.ts';
import { CoinAmount } from './coin-amount.tsx';
import { limitsSearch } from './search.ts';

interface HowMuchProps {
  readonly buckets: readonly Bucket[];
  readonly leverage: number | undefined;
  readonly limit: LimitAt | undefined;
  /** USD. */
  readonly notional: DecimalString | undefined;
  readonly coin: string | undefined;
  readonly side: TakerSide;
  readonly onLeverage: (leverage: number | undefined) => void;
  readonly onCoin: (coin: string | undefined, leverage?: number) => void;
  readonly onSide: (side: TakerSide) => void;
  readonly onNotional: (notional: DecimalString | undefined) => void;
}

/** “How much can I send at N×”: the result, and the rule behind it. */
export function HowMuch(props: HowMuchProps) {
  const { buckets, leverage, limit, notional, coin, side, onLeverage, onNotional, onCoin, onSide } = props;
  const coins = useQuery(coinsQuery).data?.coins ?? [];
  const chosen = coins.find((each) => each.coin === coin);
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
            onChange={(next) => onLeverage(next ?? undefined)}
          />
        </div>
        <div className="w-44">
          <TypedField
            label="Your order (optional)"
            unit="USD"
            value={notional ?? ''}
            error="Enter an amount, such as 250000.50."
            read={readNotional}
            onChange={(next) => onNotional(next ?? undefined)}
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
              const found = coins.find((each) => each.coin === value);
              onCoin(found?.coin, found?.maxLeverage ?? leverage);
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
                onSide={onSide}
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
  const decimals = columnDecimals(buckets.map(({ maxNotional }) => maxNotional));
  return (
    <>
      <p className="text-12 text-dim">Largest single market order at {leverage}×</p>
      <p className="num text-20 text-strong" data-part="limit">
        {decimalText(bucket.maxNotional, decimals)} <span className="text-13 text-dim">USD</span>
      </p>
      {notional !== undefined && <Verdict bucket={bucket} notional={notional} />}
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

function Verdict({ bucket, notional }: { readonly bucket: Bucket; readonly notional: DecimalString }) {
  const over = overBy(bucket, notional);
  return over === undefined ? (
    <p data-part="verdict">
      ✓ <span className="num text-12">{grouped(notional)} USD</span> is within the limit.
    </p>
  ) : (
    <p data-part="verdict" className="text-stale">
      ✗ <span className="num text-12">{grouped(notional)} USD</span> exceeds it by{' '}
      <span className="num text-12">{grouped(over)} USD</span>.
    </p>
  );
}
