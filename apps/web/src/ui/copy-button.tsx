import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';

interface CopyButtonProps {
  /** What it copies, for its label: `oid`, `diagnostics`. */
  readonly what: string;
  readonly text: () => string;
  readonly wide?: boolean;
}

const DONE_MS = 1_500;

/** Copies a text and shows that it did. */
export function CopyButton({ what, text, wide = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'done' | 'refused'>('none');
  useEffect(() => {
    if (outcome === 'none') return;
    const timer = setTimeout(() => setOutcome('none'), DONE_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // Undefined in a page over http from another machine, such as the sign-in page of a service without TLS.
      await navigator.clipboard.writeText(text());
      setOutcome('done');
    } catch {
      setOutcome('refused');
    }
  };
  const words = { none: `Copy ${what}`, done: 'Copied', refused: 'The browser blocked copying' }[outcome];
  const icon = outcome === 'done' ? Check : Copy;
  return wide ? (
    <Button look="plain" icon={icon} onClick={() => void copy()}>
      {words}
    </Button>
  ) : (
    <IconButton icon={icon} name={words} onClick={() => void copy()} />
  );
}
