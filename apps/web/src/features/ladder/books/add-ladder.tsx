import { Columns2 } from 'lucide-react';
import { useState } from 'react';
import { useLiveTicks } from '../../../book-worker/use-book.ts';
import { useWithKey } from '../../../hooks/actions.ts';
import { Button } from '../../../ui/button.tsx';
import { grouped } from '../../../ui/format.ts';
import { Popover } from '../../../ui/popover.tsx';
import { PriceTag } from '../../../ui/price-tag.tsx';
import { useBookPage } from '../book-page.ts';
import { CoinList } from '../coin-picker.tsx';
import { type BookChoice, tickBeside } from './books.ts';

interface AddLadderProps {
  /** The maximum number of ladders is reached. */
  readonly isFull: boolean;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onAdd: (book: BookChoice) => void;
}

/** Adds a second or third ladder: the same book with another grouping, which costs nothing, or another coin. */
export function AddLadder({ isFull, open, onOpenChange, onAdd }: AddLadderProps) {
  const withKey = useWithKey();
  return (
    <Popover
      name="Add a ladder"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <Button
          icon={Columns2}
          aria-label="Add a ladder"
          title={isFull ? 'Three ladders are the most' : withKey('Add a ladder beside this one', 'add ladder')}
          disabled={isFull}
        >
          <span className="sr-only">Add a ladder</span>
        </Button>
      }
    >
      <Choices
        onAdd={(book) => {
          onOpenChange(false);
          onAdd(book);
        }}
      />
    </Popover>
  );
}

function Choices({ onAdd }: Pick<AddLadderProps, 'onAdd'>) {
  const { coin, tick } = useBookPage();
  const ticks = useLiveTicks();
  const [preset] = useState(() => tickBeside(ticks, tick));
  return (
    <div className="flex flex-col gap-2">
      {preset !== undefined && (
        <Button look="plain" onClick={() => onAdd({ coin, tick: preset })}>
          {coin} grouped by <span className="num text-12">{grouped(preset)}</span> <PriceTag credits={0} />
        </Button>
      )}
      <CoinList coin={coin} onPick={(other) => onAdd({ coin: other })} />
    </div>
  );
}
