import { useState } from 'react';
import { useKeyLabels } from '../../state/key-labels.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface KeyLabelProps {
  /** The key as the service shows it. */
  readonly shown: string;
  /** Undefined if the key has no label. */
  readonly label: string | undefined;
  /** Whether this session was signed in with the key. */
  readonly isHere: boolean;
}

/** The label of a key, with a control to change it. */
export function KeyLabel({ shown, label, isHere }: KeyLabelProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      name={`Label of ${shown}`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={label === undefined ? `Label ${shown}` : `${label}: change the label of ${shown}`}
          className={`-ml-1 h-6 min-w-6 max-w-40 truncate rounded-4 px-1 align-bottom underline decoration-edge underline-offset-2 hover:text-strong aria-expanded:bg-surface-2 ${label === undefined ? 'text-dim' : ''}`}
        >
          {label ?? 'add label'}
          {isHere && <span className="text-12 text-dim"> · this session</span>}
        </button>
      }
    >
      <KeyLabelForm shown={shown} label={label ?? ''} onDone={() => setOpen(false)} />
    </Popover>
  );
}

interface KeyLabelFormProps {
  readonly shown: string;
  readonly label: string;
  readonly onDone: () => void;
}

function KeyLabelForm({ shown, label, onDone }: KeyLabelFormProps) {
  const setLabel = useKeyLabels((state) => state.setLabel);
  const [text, setText] = useState(label);
  return (
    <form
      className="flex w-64 max-w-full flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setLabel(shown, text);
        onDone();
      }}
    >
      <TextField label={`Label of ${shown}`} value={text} onChange={setText} />
      <p className="text-dim">
        Stored in this browser and its exported settings, never sent to the service. Leave empty to remove it.
      </p>
      <Button look="primary" submit>
        Save
      </Button>
    </form>
  );
}
