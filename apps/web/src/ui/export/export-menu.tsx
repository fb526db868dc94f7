import { Download } from 'lucide-react';
import { downloadText } from '../../hooks/download.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { MenuButton } from '../menu-button.tsx';
import { PopoverClose } from '../popover.tsx';
import { csvOf, type ExportColumn, exportFileName, jsonOf } from './csv.ts';

interface ExportMenuProps<Row> {
  /** The parts of the file's name: `['orders', '0x5eaa']`. */
  readonly name: readonly string[];
  /** What is exported, in one sentence: “The 312 orders in sight, as filtered.” */
  readonly says: string;
  readonly columns: readonly ExportColumn<Row>[];
  /** Read when the person asks. */
  readonly rows: () => Iterable<Row>;
  /** What the JSON says before its rows. */
  readonly facts?: () => Readonly<Record<string, unknown>>;
}

/** What is on the surface as CSV or JSON: a file, or on the clipboard. */
export function ExportMenu<Row>({ name, says, columns, rows, facts }: ExportMenuProps<Row>) {
  const csv = () => csvOf(columns, rows());
  return (
    <MenuButton icon={Download} name="Export">
      <div className="flex w-56 flex-col gap-2">
        <p className="text-dim">{says}</p>
        <PopoverClose asChild>
          <Button look="plain" onClick={() => downloadText(exportFileName(name, new Date(), 'csv'), 'text/csv', csv())}>
            Save CSV
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button
            look="plain"
            onClick={() => {
              const json = jsonOf(columns, rows(), facts?.());
              downloadText(exportFileName(name, new Date(), 'json'), 'application/json', json);
            }}
          >
            Save JSON
          </Button>
        </PopoverClose>
        <CopyButton what="CSV" text={csv} wide />
      </div>
    </MenuButton>
  );
}
