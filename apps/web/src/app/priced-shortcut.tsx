import { useEffect } from 'react';
import { closePricedShortcut, type Shortcut, usePricedShortcut } from '../hooks/shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { PriceTag } from '../ui/price-tag.tsx';
import { useModal } from '../ui/use-modal.ts';

/** The dialog of a key that costs more than a key may spend: its action, with the price. */
export function PricedShortcut() {
  const shortcut = usePricedShortcut();
  // The page that registered it may be left.
  useEffect(() => {
    if (shortcut === undefined) closePricedShortcut();
  }, [shortcut]);
  return shortcut === undefined ? null : <PricedDialog shortcut={shortcut} />;
}

function PricedDialog({ shortcut: { text, credits = 0, run } }: { readonly shortcut: Shortcut }) {
  const { close, ...modal } = useModal(true, closePricedShortcut);
  return (
    <dialog {...modal} aria-label={text} className="rounded-4 border border-edge bg-surface-1 p-4">
      <div className="flex gap-2">
        <Button
          onClick={() => {
            close();
            run();
          }}
        >
          {text} <PriceTag credits={credits} />
        </Button>
        <Button look="plain" onClick={close}>
          Cancel
        </Button>
      </div>
    </dialog>
  );
}
