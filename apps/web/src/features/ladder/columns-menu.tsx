import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { useSettings } from '../../state/preferences.ts';
import { leastSize, SETTINGS } from '../../state/settings.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { DecimalField } from '../../ui/text-field.tsx';
import { useBookPage } from './book-page.ts';
import { COLUMN_HINTS, chosenOf, LOOK, PRESET_NAMES, PRESETS, presetOf } from './look.ts';

export function ColumnsMenu() {
  return (
    <MenuButton icon={Columns3} name="Columns">
      <div className="flex max-w-72 flex-col gap-3">
        <ColumnChoices />
        <Choice name="layout" />
        <div className="flex flex-wrap items-end gap-2">
          <Choice name="large" />
          <LargeFrom />
        </div>
        <Choice name="bars" />
        <Shown name="map" />
      </div>
    </MenuButton>
  );
}

/** Sets of columns; single ones are behind “More”, which is open at first if they are no such set. */
function ColumnChoices() {
  const [look, set] = useSettings(LOOK);
  const preset = presetOf(look);
  const [isOpen] = useState(preset === undefined);
  return (
    <div>
      <p aria-hidden className="text-12 text-dim">
        Preset{preset === undefined && ': own choice'}
      </p>
      <Segmented<string>
        name={preset === undefined ? 'Preset: own choice' : 'Preset'}
        value={preset ?? ''}
        options={PRESET_NAMES.map((name) => ({ value: name, text: name, hint: PRESETS[name].hint }))}
        onChange={(name) => {
          const chosen = PRESET_NAMES.find((known) => known === name);
          if (chosen !== undefined) set(PRESETS[chosen].columns);
        }}
      />
      <details open={isOpen} className="pt-1">
        <summary className="w-fit cursor-pointer rounded-4 text-dim hover:text-text">More</summary>
        <Shown name="count" />
        <Shown name="cumulative" />
        <Shown name="flow" />
        <Shown name="lane" />
        <div className="pt-2">
          <Choice name="notional" />
        </div>
      </details>
    </div>
  );
}

function Shown({ name }: { readonly name: 'count' | 'cumulative' | 'flow' | 'lane' | 'map' }) {
  const [look, set] = useSettings(LOOK);
  return (
    <span title={name === 'map' ? undefined : COLUMN_HINTS[name]}>
      <Checkbox text={SETTINGS[name].label ?? name} checked={look[name]} onChange={(on) => set({ [name]: on })} />
    </span>
  );
}

function Choice({ name }: { readonly name: 'layout' | 'large' | 'notional' | 'bars' }) {
  const [look, set] = useSettings(LOOK);
  const { label, options } = SETTINGS[name];
  return (
    <div>
      <p aria-hidden className="text-12 text-dim">
        {label}
      </p>
      <Segmented<string>
        name={label}
        value={String(chosenOf(name, look))}
        options={options}
        onChange={(value) => set({ [name]: value })}
      />
    </div>
  );
}

function LargeFrom() {
  const [{ large }, set] = useSettings(LOOK);
  const { coin } = useBookPage();
  if (large === 'none' || large === 'p99') return null;
  return (
    <DecimalField
      label="Large from"
      value={large}
      unit={<span className="text-12 text-dim">{coin}</span>}
      onChange={(next) => {
        const size = leastSize.safeParse(next).data;
        if (size !== undefined) set({ large: size });
      }}
    />
  );
}
