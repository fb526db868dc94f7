import { type ReactNode, useMemo } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { aligned, columnDecimals, counted } from '../../ui/format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { WithNumbers } from '../../ui/with-numbers.tsx';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { sumOf, sumSign, sumText, type Token, type WalletEntry } from '../../wallets/balances/sums.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { Amount, SumAmount, ValuesAge } from './cells.tsx';
import { addendsOf } from './pivot.ts';
import { absenceOf, FIELD_HINTS, FIELD_TEXTS } from './texts.ts';

interface AddendsInspectorProps {
  readonly entries: readonly WalletEntry[];
  readonly token: Token;
  readonly field: Field;
  readonly onField: (field: Field) => void;
}

/** The most lines drawn per list; the copied text has all of them. */
const LINES_SHOWN = 200;

/** The parts of a sum: every addend, and every wallet that is missing from it. */
export function AddendsInspector({ entries, token, field, onField }: AddendsInspectorProps) {
  const sum = useMemo(() => sumOf(entries, token, field), [entries, token, field]);
  const addends = useMemo(() => addendsOf(entries, token, field), [entries, token, field]);
  const { parts, silent, missing } = addends;
  const decimals = useMemo(
    () =>
      columnDecimals([
        ...parts.map(({ value }) => value),
        ...missing.flatMap(({ value }) => value ?? []),
        sum.value ?? '0',
      ]),
    [parts, missing, sum],
  );
  const text = () =>
    [
      ...parts.map(({ entry, value }) => `${value}\t${entry.wallet.address}\t${entry.wallet.label}`),
      `${sumSign(sum)}${sum.value ?? 'none'}\t${token.name} ${field}, ${sumText(sum)}`,
    ].join('\n');
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        name="Field of the sum"
        value={field}
        options={FIELDS.map((value) => ({ value, text: FIELD_TEXTS[value], hint: FIELD_HINTS[value] }))}
        onChange={onField}
      />
      <p className="flex flex-col border-b border-edge pb-1" data-part="sum">
        <span>
          <WithNumbers look="text-12" text={`Sum of ${sumText(sum)}`} />
        </span>
        <span className="num text-right text-15 whitespace-nowrap text-strong">
          <SumAmount sum={sum} decimals={0} />
        </span>
      </p>
      {missing.length > 0 && (
        <Lines
          title={`Not included: ${counted(missing.length, 'wallet')} that failed or have not been loaded`}
          count={missing.length}
        >
          {missing.slice(0, LINES_SHOWN).map(({ entry, value }) => (
            <li key={entry.wallet.address} className="flex items-center justify-between gap-2 text-dim">
              <span className="flex min-w-0 items-center gap-1" title={entry.state.text}>
                <span className="text-stale">{entry.state.kind === 'never' ? '–' : '!'}</span>
                <WalletName wallet={entry.wallet} />
                {entry.reading && (
                  <span className="whitespace-nowrap text-dim">
                    <ValuesAge at={entry.reading.at} />
                  </span>
                )}
              </span>
              <span className="num text-12 whitespace-nowrap">
                <Amount value={value} decimals={decimals} absence={absenceOf(entry, token.name, field)} />
              </span>
            </li>
          ))}
        </Lines>
      )}
      <Lines title={`${counted(parts.length, 'addend')}, largest first`} count={parts.length}>
        {parts.slice(0, LINES_SHOWN).map(({ entry, value }) => (
          <li key={entry.wallet.address} className="flex items-center justify-between gap-2" data-addend={value}>
            <WalletName wallet={entry.wallet} />
            <span className="num private text-12 whitespace-nowrap">{aligned(value, decimals)}</span>
          </li>
        ))}
      </Lines>
      {silent.length > 0 && (
        <p className="text-dim">
          <WithNumbers look="text-12" text={counted(silent.length, 'wallet')} /> with {token.name}{' '}
          {silent.length === 1 ? 'does' : 'do'} not report this field. Absent does not mean zero.
        </p>
      )}
      <div>
        <CopyButton what="addends" text={text} wide />
      </div>
    </div>
  );
}

interface LinesProps {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}

function Lines({ title, count, children }: LinesProps) {
  return (
    <section>
      <h3 className="text-12 font-medium text-dim">
        <WithNumbers text={title} />
      </h3>
      <ul>{children}</ul>
      {count > LINES_SHOWN && (
        <p className="text-dim">
          <WithNumbers look="text-12" text={`${counted(count - LINES_SHOWN, 'more line')} in the copied text.`} />
        </p>
      )}
    </section>
  );
}
