import { SunMoon } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { later } from './later.tsx';
import { Menu } from './menu.tsx';

const Panel = later(async () => (await import('./appearance-panel.tsx')).AppearancePanel);

/** Preloads the panel. */
export const loadAppearance = Panel.ahead;

/** How everything looks, and what pages may spend. Stored in this browser, not in the URL. */
export function Appearance() {
  return (
    <Menu
      name="Appearance"
      panel={Panel}
      renderButton={(props) => (
        <IconButton
          icon={SunMoon}
          name="Appearance"
          onPointerEnter={loadAppearance}
          onFocus={loadAppearance}
          {...props}
        />
      )}
    />
  );
}
