import { Pause, Play } from 'lucide-react';
import { useWithKey } from '../../../hooks/actions.ts';
import { Button } from '../../../ui/button.tsx';
import type { Hold } from './use-hold.ts';

interface HoldButtonProps {
  readonly hold: Hold;
  /** Shows the icon alone on any screen, instead of only on a narrow one. */
  readonly isSmall?: boolean;
}

/** Holds the shown book, or lets it move again. Its name says what it does next, so it is not a button that stays pressed. */
export function HoldButton({ hold, isSmall = false }: HoldButtonProps) {
  const withKey = useWithKey();
  return (
    <Button
      icon={hold.isHeld ? Play : Pause}
      data-on={hold.isHeld || undefined}
      title={withKey(hold.title, 'pause')}
      onClick={hold.run}
    >
      <span className={isSmall ? 'sr-only' : 'max-lg:sr-only'}>{hold.text}</span>
    </Button>
  );
}
