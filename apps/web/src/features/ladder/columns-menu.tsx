import { Columns3 } from 'lucide-react';
import { useSettings } from '../../state/preferences.ts';
import { leastSize, SETTINGS } from '../../state/settings.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { DecimalField } from '../../ui/text-field.tsx';
import { useBookPage } from './book-page.ts';
import { chosenOf, LOOK, type Look } from './look.ts';

const HINTS: Partial<Record<keyof Look, string>> = {
  flow: 'Came: added, requoted in and grown. Withdrawn: canceled, requoted out and shrunk. Executions are neither.',
};

/** Chooses which columns the ladder has, and how its bars are scaled. */
export function ColumnsMenu() {
  return (
    <MenuButton icon={Columns3} name="Columns">
      <div className="flex flex-col gap-3">
        <Choice name="layout" />
        <div>
          <Shown name="count" />
          <Shown name="cumulative" />
          <Shown name="flow" />
          <Shown name="lane" />
          <p className="max-w-56 pl-6 text-12 text-dim">
            One segment per order, with the front of the queue at the price; +12 means 12 more orders behind. “Full bar”
            is the size that fills the lane; a bar with two cuts is longer.
          </p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <Choice name="large" />
          <LargeFrom />
        </div>
        <Choice name="notional" />
        <Choice name="bars" />
        <Shown name="map" />
      </div>
    </MenuButton>
  );
}

function Shown({ name }: { readonly name: 'count' | 'cumulative' | 'flow' | 'lane' | 'map' }) {
  const [look, set] = useSettings(LOOK);
  return (
    <span title={HINTS[name]}>
      <Checkbox text={SETTINGS[name].label ?? name} checked={look[name]} onChange={(on) => set({ [name]: on })} />
    </span>
  );
}

/** A segmented choice with its name above it. */
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
