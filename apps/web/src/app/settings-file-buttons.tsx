import { useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { exportFileName } from '../ui/export/csv.ts';
import { downloadText } from '../ui/export/download.ts';
import { counted } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { applySettings, readSettings, settingsText } from './settings-file.ts';

/** Exports and imports everything this browser stores. */
export function SettingsFileButtons() {
  const field = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string>();
  const save = () => downloadText(exportFileName(['settings'], new Date(), 'json'), 'application/json', settingsText());
  const load = async (file: File | undefined) => {
    if (file === undefined) return;
    const settings = readSettings(await file.text());
    setRefused(settings === undefined ? file.name : undefined);
    if (settings === undefined) return;
    applySettings(settings);
    toast(`Settings loaded, with ${counted(settings.wallets.length, 'wallet')}`);
  };
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-2">
      <p className="text-12 text-dim">Preferences, address book and layouts in one file</p>
      <div className="flex gap-2">
        <Button look="plain" onClick={save}>
          Save
        </Button>
        <Button look="plain" onClick={() => field.current?.click()}>
          Load
        </Button>
        <input
          ref={field}
          type="file"
          hidden
          accept=".json,application/json"
          onChange={(event) => {
            void load(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      {refused !== undefined && (
        <p role="alert" className="text-stale">
          {refused} isn’t an L4 Desk settings file, or is from a newer version. Nothing was changed.
        </p>
      )}
    </div>
  );
}
