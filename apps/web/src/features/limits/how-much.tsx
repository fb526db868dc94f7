import type { DecimalString } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { coinsQuery } from '../../api/session.ts';
import { columnDecimals, decimalText, grouped } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { orNothing, readAmount, TypedField } from '../../ui/text-field.tsx';
import { type Bucket, type LimitAt, overBy } from './buckets.ts';
import { limitsSearch } from './search.ts';

interface HowMuchProps {
  readonly buckets: readonly Bucket[];
  readonly leverage: number | undefined;
  readonly limit: LimitAt | undefined;
  /** USD. */
  readonly notional: DecimalString | undefined;
  readonly onLeverage: (leverage: number | undefined) => void;
  readonly onNotional: (notional: DecimalString | undefined) => void;
}

/** “How much can I send at N×”: the result, and the rule behind it. */
export function HowMuch({ buckets, leverage, limit, notional, onLeverage, onNotional }: HowMuchProps) {
  return (
    <Panel title="How much can I send?">
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
        <CoinLeverage leverage={leverage} onLeverage={onLeverage} />
      </div>
      <output className="answer block min-h-[104px]" data-part="result">
        {leverage === undefined || limit === undefined ? (
          <p className="text-dim">Enter a leverage, or select one in the table.</p>
        ) : (
          <Result buckets={buckets} leverage={leverage} limit={limit} notional={notional} />
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

/** Fills in the highest leverage of a coin, as the exchange reports it. */
function CoinLeverage({ leverage, onLeverage }: Pick<HowMuchProps, 'leverage' | 'onLeverage'>) {
  const { data } = useQuery(coinsQuery);
  const [coin, setCoin] = useState('');
  const coins = data?.coins ?? [];
  const shown = coins.some((each) => each.coin === coin && each.maxLeverage === leverage) ? coin : '';
  return (
    <div className="flex flex-col gap-0.5">
      <span className="text-12 text-dim">or a coin’s maximum</span>
      <Select
        name="A coin’s maximum leverage"
        caption=""
        value={shown}
        disabled={coins.length === 0}
        options={[
          { value: '', text: 'coin' },
          ...coins.map((each) => ({ value: each.coin, text: `${each.coin} ${each.maxLeverage}×` })),
        ]}
        onChange={(value) => {
          setCoin(value);
          const found = coins.find((each) => each.coin === value);
          if (found !== undefined) onLeverage(found.maxLeverage);
        }}
      />
    </div>
  );
}
