import { Download } from 'lucide-react';
import type { RefObject } from 'react';
import { downloadText } from '../../hooks/download.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Popover, PopoverClose } from '../../ui/popover.tsx';
import type { LadderPane } from './canvas/pane.ts';
import { ladderCsv, ladderFileName, ladderJson } from './export.ts';

/** The rows on the screen, exact, as a file or on the clipboard. */
export function ExportMenu({ pane }: { readonly pane: RefObject<LadderPane | null> }) {
  const csv = () => {
    const snapshot = pane.current?.snapshot();
    if (snapshot !== undefined) downloadText(ladderFileName(snapshot, 'csv'), 'text/csv', ladderCsv(snapshot));
  };
  const json = () => {
    const snapshot = pane.current?.snapshot();
    if (snapshot !== undefined)
      downloadText(ladderFileName(snapshot, 'json'), 'application/json', ladderJson(snapshot));
  };
  const copy = () => {
    const snapshot = pane.current?.snapshot();
    return snapshot === undefined ? '' : ladderCsv(snapshot);
  };
  return (
    <Popover
      name="Export"
      trigger={
        <Button icon={Download} aria-label="Export">
          <span className="max-[1399px]:sr-only">Export</span>
        </Button>
      }
    >
      <div className="flex w-52 flex-col gap-2">
        <p className="text-dim">The rows in sight, exact, with block, seq and epoch.</p>
        <PopoverClose asChild>
          <Button look="plain" onClick={csv}>
            Save CSV
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button look="plain" onClick={json}>
            Save JSON
          </Button>
        </PopoverClose>
        <CopyButton what="CSV" text={copy} wide />
      </div>
    </Popover>
  );
}
