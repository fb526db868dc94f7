import { SunMoon } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { later } from './later.tsx';
import { Menu } from './menu.tsx';

const Choices = later(async () => (await import('./appearance-choices.tsx')).AppearanceChoices);

/** Preloads the choices. */
export const loadAppearance = Choices.ahead;

/** How everything looks, and what pages may spend. Stored in this browser, not in the URL. */
export function Appearance() {
  return (
    <Menu
      name="Appearance"
      renderButton={(props) => (
        <IconButton
          icon={SunMoon}
          name="Appearance"
          onPointerEnter={loadAppearance}
          onFocus={loadAppearance}
          {...props}
        />
      )}
    >
      {(close) => <Choices.Part onClose={close} />}
    </Menu>
  );
}
