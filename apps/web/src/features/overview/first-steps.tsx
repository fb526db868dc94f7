import { z } from '@l4desk/protocol';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useSession } from '../../api/session-context.tsx';
import { accountStore } from '../../state/account.ts';
import { IconButton } from '../../ui/button.tsx';

interface FirstSteps {
  readonly isDone: boolean;
  readonly finish: () => void;
}

const kept = z.object({ isDone: z.boolean() });

const useFirstSteps = accountStore<FirstSteps>(
  'l4desk.first-steps',
  (stored) => ({ isDone: kept.safeParse(stored).data?.isDone ?? false }),
  (set) => ({ isDone: false, finish: () => set({ isDone: true }) }),
);

const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

const LINK = 'rounded-4 text-accent underline underline-offset-2';

/** Where to begin, until an account dismisses it; it never comes back. A demo says that its wallets and credits are examples. */
export function FirstSteps({ coin }: { readonly coin: string | undefined }) {
  const { demo } = useSession();
  const { isDone, finish } = useFirstSteps();
  if (isDone || coin === undefined) return null;
  return (
    <aside
      aria-label="First steps"
      className="flex items-start gap-3 border-b border-line bg-surface-1 px-3 py-1.5 text-dim"
    >
      <div className="flex min-w-0 grow flex-wrap gap-x-6 gap-y-1">
        {demo && (
          <p className="basis-full text-text">
            This is a demo: the wallets, their orders and the credits are examples.
          </p>
        )}
        <p>
          <span className="num">1</span>{' '}
          <Link to="/book/$coin" params={{ coin }} className={LINK}>
            Open the {coin} ladder
          </Link>
          : every price of the book, proven exact.
        </p>
        <p>
          <span className="num">2</span> Press a segment of a queue lane there: one order, its owner and its place.
        </p>
        <p>
          <span className="num">3</span> <kbd className="num text-12 text-text">{PALETTE_KEY}</kbd> finds every page,
          coin and action.
        </p>
      </div>
      <IconButton icon={X} name="Dismiss the first steps" onClick={finish} />
    </aside>
  );
}
