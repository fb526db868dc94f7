import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { counted, isolated, shortAddress } from '../ui/format.ts';
import { passesFocus } from '../ui/pass-focus.ts';
import { toast } from '../ui/toast.tsx';
import { type ImportPreview, type ImportRow, importedWallets, previewImport, textOfFile } from './import-wallets.ts';
import { useWalletBook } from './wallet-book.ts';

/** Files larger than this, in bytes, are not accepted as a list of wallets. */
const FILE_BYTES_MAX = 4_000_000;
/** Rows drawn in the preview; all rows are counted and imported. */
const SHOWN_MAX = 300;

const NOTHING: ImportPreview = { rows: [], unknownColumns: [] };

interface ImportWalletsProps {
  readonly onDone: () => void;
  /** Whether what was pressed led here: the next thing is to paste. */
  readonly takesFocus: boolean;
  /** What is in the field at first. */
  readonly pasted: string;
}

/** A paste or a file, a preview of what each line becomes, and one button to import it. */
export function ImportWallets({ onDone, takesFocus, pasted }: ImportWalletsProps) {
  const id = useId();
  const book = useWalletBook(({ wallets }) => wallets);
  const put = useWalletBook((state) => state.put);
  const remove = useWalletBook((state) => state.remove);
  const file = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const takeFocus = useEffectEvent(() => {
    if (takesFocus) field.current?.focus();
  });
  useEffect(() => takeFocus(), []);
  const [text, setText] = useState(pasted);
  const [problem, setProblem] = useState<string>();
  const preview = useMemo(() => (text.trim() === '' ? NOTHING : previewImport(text, book)), [text, book]);
  const { rows, unknownColumns } = preview;
  const taken = importedWallets(preview);
  const count = (kind: ImportRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const refused = rows.filter((row) => 'refused' in row && row.refused.length > 0).length;

  const read = async (chosen: File | undefined) => {
    setProblem(undefined);
    if (chosen === undefined) return;
    if (chosen.size > FILE_BYTES_MAX) return setProblem(`${chosen.name} is too large.`);
    setText(textOfFile(new Uint8Array(await chosen.arrayBuffer())));
  };
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    // Otherwise the browser would leave the page for the file, and the book page would take it for a recording.
    event.preventDefault();
    event.stopPropagation();
    if (event.type === 'drop') void read(event.dataTransfer.files[0]);
  };
  const take = () => {
    const addresses = new Set(taken.map(({ address }) => address));
    const before = book.filter(({ address }) => addresses.has(address));
    put(taken);
    toast(
      `${counted(taken.length, 'wallet')} imported${refused === 0 ? '' : `, ${refused} with a field left out as invalid`}`,
      {
        text: 'Undo',
        run: () => {
          for (const { address } of before) addresses.delete(address);
          remove([...addresses]);
          put(before);
        },
      },
    );
    setText('');
    onDone();
  };

  return (
    <div ref={passesFocus} onDragOver={onDrag} onDrop={onDrag} className="flex min-h-0 grow flex-col gap-2 pt-2">
      <label htmlFor={id} className="text-dim">
        Addresses, links of explorers, CSV (address, label, group, tags, colour) or JSON, or drop a file. Every line is
        checked before anything is imported.
      </label>
      <textarea
        ref={field}
        id={id}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        placeholder={'0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5, maker, desk'}
        className="num h-28 w-full shrink-0 resize-y rounded-4 border border-edge bg-surface-0 p-2 text-12 placeholder:text-dim"
      />
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={file}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,.json,text/csv,application/json"
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button icon={Upload} look="plain" onClick={() => file.current?.click()}>
          Open a file
        </Button>
        <Button look="primary" disabled={taken.length === 0} onClick={take}>
          {taken.length === 0 ? 'Import wallets' : `Import ${counted(taken.length, 'wallet')}`}
        </Button>
        {rows.length > 0 && (
          <span className="text-dim">
            {count('new')} new · {count('known')} existing · {count('repeated')} duplicate · {count('bad')} invalid
            {refused > 0 && ` · ${refused} with an invalid field`}
          </span>
        )}
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-stale">
          {problem}
        </p>
      )}
      {unknownColumns.length > 0 && (
        <output className="block text-stale">
          Not imported: {unknownColumns.length === 1 ? 'column' : 'columns'} {unknownColumns.join(', ')}. The columns
          are address, label, group, tags and colour.
        </output>
      )}
      {rows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
        <section aria-label="Preview" tabIndex={0} className="min-h-0 grow overflow-auto border border-line">
          <table className="w-full text-12">
            <thead className="sticky top-0 bg-surface-1 text-left text-dim">
              <tr>
                <th className="px-2 py-1 text-right font-normal">Line</th>
                <th className="px-2 py-1 font-normal">Wallet</th>
                <th className="w-full px-2 py-1 font-normal whitespace-nowrap">Result</th>
              </tr>
            </thead>
            <tbody>
              {[...rows]
                .sort(badFirst)
                .slice(0, SHOWN_MAX)
                .map((row) => (
                  <tr key={`${row.line}-${row.kind}-${addressOf(row)}`} className="border-t border-line/60">
                    <td className="num px-2 text-right">{row.line}</td>
                    <td className="num private max-w-56 truncate px-2 max-sm:max-w-32" title={addressOf(row)}>
                      {labelOf(row)}
                    </td>
                    <td className={RANK[rankOf(row)] < RANK.repeated ? 'px-2 text-stale' : 'px-2'}>{wordsOf(row)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
          {rows.length > SHOWN_MAX && (
            <p className="p-2 text-dim">and {counted(rows.length - SHOWN_MAX, 'more line')}</p>
          )}
        </section>
      )}
    </div>
  );
}

const RANK = { bad: 0, refused: 1, repeated: 2, known: 3, new: 4 } as const;

/** Orders rows that need attention first. */
function badFirst(a: ImportRow, b: ImportRow): number {
  return RANK[rankOf(a)] - RANK[rankOf(b)] || a.line - b.line;
}

function rankOf(row: ImportRow): keyof typeof RANK {
  return 'refused' in row && row.refused.length > 0 ? 'refused' : row.kind;
}

function addressOf(row: ImportRow): string {
  return 'wallet' in row ? row.wallet.address : row.written;
}

function labelOf(row: ImportRow): string {
  if (!('wallet' in row)) return row.written.length > 42 ? `${row.written.slice(0, 40)}…` : row.written || '(empty)';
  const { label, address } = row.wallet;
  return label === '' ? shortAddress(address) : `${isolated(label)} · ${shortAddress(address)}`;
}

function wordsOf(row: ImportRow): ReactNode {
  switch (row.kind) {
    case 'new':
      return `will be added${withoutRefused(row.refused)}`;
    case 'known':
      return row.refused.length === 0
        ? 'existing wallet, will be updated'
        : `existing wallet, will be updated${withoutRefused(row.refused)}; the old value is kept`;
    case 'repeated':
      return `not imported: duplicate of line ${row.of}${row.byCase ? ' in different letter case' : ''}`;
    case 'bad':
      return `not imported: ${row.problem}`;
  }
}

function withoutRefused(refused: readonly string[]): string {
  return refused.length === 0 ? '' : `, except: ${refused.join('; ')}`;
}
