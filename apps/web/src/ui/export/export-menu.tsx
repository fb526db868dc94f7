import { Download } from 'lucide-react';
import { useActions } from '../../hooks/actions.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { MenuButton } from '../menu-button.tsx';
import { PopoverClose } from '../popover.tsx';
import { csvOf, type ExportColumn, exportFileName, jsonOf } from './csv.ts';
import { downloadCsv, downloadText } from './download.ts';

interface ExportMenuProps<Row> {
  /** The parts of the file's name: `['orders', '0x5eaa']`. */
  readonly name: readonly string[];
  /** A sentence that describes the export: “The 312 orders in view, as filtered.” */
  readonly description: string;
  readonly columns: readonly ExportColumn<Row>[];
  readonly rows: () => Iterable<Row>;
  /** Fields that the JSON has before its rows. */
  readonly facts?: () => Readonly<Record<string, unknown>>;
}

/** Exports the shown rows as CSV or JSON, from its menu or the palette, to a file or the clipboard. */
export function ExportMenu<Row>({ name, description, columns, rows, facts }: ExportMenuProps<Row>) {
  const csv = () => csvOf(columns, rows());
  const save = {
    csv: () => downloadCsv(exportFileName(name, new Date(), 'csv'), csv()),
    json: () =>
      downloadText(exportFileName(name, new Date(), 'json'), 'application/json', jsonOf(columns, rows(), facts?.())),
  };
  const what = name.filter((part) => part !== '').join(' ');
  useActions(
    'Exports',
    [
      { id: `export ${what} csv`, label: `Export ${what} as CSV`, run: save.csv },
      { id: `export ${what} json`, label: `Export ${what} as JSON`, run: save.json },
    ],
    'Exports',
  );
  return (
    <MenuButton icon={Download} name="Export">
      <div className="flex w-56 flex-col gap-2">
        <p className="text-dim">{description}</p>
        <PopoverClose asChild>
          <Button look="plain" onClick={save.csv}>
            Save CSV
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button look="plain" onClick={save.json}>
            Save JSON
          </Button>
        </PopoverClose>
        <CopyButton what="CSV" text={csv} wide />
      </div>
    </MenuButton>
  );
}
