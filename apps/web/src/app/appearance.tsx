import { SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Preferences, usePreferences } from '../hooks/preferences.ts';
import { IconButton } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';

const PALETTES: readonly { readonly value: Preferences['palette']; readonly text: string }[] = [
  { value: 'teal-coral', text: 'Teal and coral' },
  { value: 'blue-orange', text: 'Blue and orange' },
  { value: 'mono', text: 'Lightness and stripes' },
  { value: 'east-asian', text: 'Red bids, green asks' },
];

/** How everything looks: kept in this browser, not in the URL. */
export function Appearance() {
  const { theme, density, palette, timeZone, set } = usePreferences();
  return (
    <Popover name="Appearance" align="end" trigger={<IconButton icon={SunMoon} name="Appearance" />}>
      <div className="flex flex-col gap-3">
        <Line text="Theme">
          <Segmented
            name="Theme"
            value={theme}
            options={[
              { value: 'dark', text: 'Dark' },
              { value: 'light', text: 'Light' },
              { value: 'system', text: 'System' },
            ]}
            onChange={(value) => set({ theme: value })}
          />
        </Line>
        <Line text="Density">
          <Segmented
            name="Density"
            value={density}
            options={[
              { value: 'compact', text: 'Compact' },
              { value: 'comfortable', text: 'Comfortable' },
            ]}
            onChange={(value) => set({ density: value })}
          />
        </Line>
        <Line text="Times">
          <Segmented
            name="Times"
            value={timeZone}
            options={[
              { value: 'utc', text: 'UTC' },
              { value: 'local', text: 'Local' },
            ]}
            onChange={(value) => set({ timeZone: value })}
          />
        </Line>
        <Line text="Palette">
          <Select
            name="Palette"
            caption=""
            value={palette}
            options={PALETTES}
            onChange={(value) => set({ palette: value })}
          />
        </Line>
        <div className="flex items-center justify-end gap-4 text-12">
          <Sample side="bid" text="B bid" />
          <Sample side="ask" text="A ask" />
        </div>
      </div>
    </Popover>
  );
}

function Line({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-6">
      <span className="text-dim">{text}</span>
      {children}
    </div>
  );
}

function Sample({ side, text }: { readonly side: 'bid' | 'ask'; readonly text: string }) {
  return (
    <span className={`flex items-center gap-1.5 ${side === 'bid' ? 'text-bid' : 'text-ask'}`}>
      <span aria-hidden className={`h-3 w-8 ${side === 'bid' ? 'bg-bid-mark' : 'bg-ask-mark'}`} />
      {text}
    </span>
  );
}
