import { Columns3 } from 'lucide-react';
import { type LadderPreferences, usePreferences } from '../../state/preferences.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';

const BARS: readonly { readonly value: LadderPreferences['bars']; readonly text: string; readonly hint: string }[] = [
  { value: 'linear', text: 'Linear', hint: 'Twice the size, twice the bar' },
  { value: 'sqrt', text: 'Root', hint: 'Four times the size, twice the bar' },
  { value: 'log', text: 'Log', hint: 'Three decades, so small levels stay visible' },
];

const NOTIONAL: readonly {
  readonly value: LadderPreferences['notional'];
  readonly text: string;
  readonly hint: string;
}[] = [
  { value: 'none', text: 'None', hint: 'No notional' },
  { value: 'row', text: 'Row', hint: 'Price × size over the orders of the row, in whole units' },
  { value: 'cumulative', text: 'Cumulative', hint: 'The same over this row and all better ones' },
];

const LARGE: readonly { readonly value: LadderPreferences['large']; readonly text: string; readonly hint: string }[] = [
  { value: 'none', text: 'Plain', hint: 'No order stands out by its size' },
  { value: 'p99', text: 'Capped', hint: 'A line over the largest hundredth of the orders in sight' },
];

interface ColumnsMenuProps {
  readonly layout: LadderPreferences['layout'];
  readonly onLayout: (layout: LadderPreferences['layout']) => void;
}

/** Which columns the ladder has, and how its bars are scaled. */
export function ColumnsMenu({ layout, onLayout }: ColumnsMenuProps) {
  const ladder = usePreferences((state) => state.ladder);
  const set = usePreferences((state) => state.setLadder);
  return (
    <MenuButton icon={Columns3} name="Columns">
      <div className="flex flex-col gap-3">
        <Segmented
          name="Layout"
          value={layout}
          options={[
            {
              value: 'single',
              text: 'One side',
              hint: 'The price in one column, its numbers right of it, then the lane',
            },
            {
              value: 'split',
              text: 'Two sides',
              hint: 'Bid numbers left of the price, ask numbers right; queues opposite',
            },
          ]}
          onChange={onLayout}
        />
        <div>
          <Checkbox text="Orders (n)" checked={ladder.count} onChange={(count) => set({ count })} />
          <Checkbox
            text="Cumulative size (cum)"
            checked={ladder.cumulative}
            onChange={(cumulative) => set({ cumulative })}
          />
          <Checkbox text="Came and withdrawn (+ − 5 s)" checked={ladder.flow} onChange={(flow) => set({ flow })} />
          <p className="max-w-56 pl-6 text-12 text-dim">
            “+” is what came to the row in 5 s: added, requoted in, grown; “−” what was withdrawn: cancelled, requoted
            out, shrunk. Executions are neither.
          </p>
          <Checkbox text="Queue lane" checked={ladder.lane} onChange={(lane) => set({ lane })} />
          <p className="max-w-56 pl-6 text-12 text-dim">
            One segment per order, with the front of the queue at the price; +12 means 12 more orders behind. “Full bar”
            is the size that fills the lane; a bar with two cuts is longer.
          </p>
        </div>
        <Segmented name="Large orders" value={ladder.large} options={LARGE} onChange={(large) => set({ large })} />
        <Segmented
          name="Notional (ntl)"
          value={ladder.notional}
          options={NOTIONAL}
          onChange={(notional) => set({ notional })}
        />
        <Segmented name="Bars" value={ladder.bars} options={BARS} onChange={(bars) => set({ bars })} />
      </div>
    </MenuButton>
  );
}
