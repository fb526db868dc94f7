import { useEffect } from 'react';
import { type Action, closePricedAction, usePricedAction } from '../hooks/actions.ts';
import { Button } from '../ui/button.tsx';
import { PriceTag } from '../ui/price-tag.tsx';
import { useModal } from '../ui/use-modal.ts';

/** The dialog of an action whose key was pressed and which costs more than a key may spend. */
export function PricedAction() {
  const action = usePricedAction();
  // The page that registered it may be left.
  useEffect(() => {
    if (action === undefined) closePricedAction();
  }, [action]);
  return action === undefined ? null : <PricedDialog action={action} />;
}

function PricedDialog({ action: { label, price = 0, run } }: { readonly action: Action }) {
  const { close, ...modal } = useModal(true, closePricedAction);
  return (
    <dialog {...modal} aria-label={label} className="rounded-4 border border-edge bg-surface-1 p-4">
      <div className="flex gap-2">
        <Button
          onClick={() => {
            close();
            run();
          }}
        >
          {label} <PriceTag credits={price} />
        </Button>
        <Button look="plain" onClick={close}>
          Cancel
        </Button>
      </div>
    </dialog>
  );
}
