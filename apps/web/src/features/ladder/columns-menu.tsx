import { Columns3 } from 'lucide-react';
import { type LadderPreferences, leastSize } from '../../state/preferences.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { DecimalField } from '../../ui/text-field.tsx';
import { useBookPage } from './book-page.ts';
import { BAR_SCALES, FIRST_LARGE, NOTIONALS, useLadderLook } from './use-ladder-look.ts';

type LargeChoice = 'none' | 'p99' | 'from';

const LARGE: readonly { readonly value: LargeChoice; readonly text: string; readonly hint: string }[] = [
  { value: 'none', text: 'None', hint: 'No order stands out by its size' },
  { value: 'p99', text: 'P99', hint: 'A line over the largest hundredth of the orders in sight' },
  { value: 'from', text: 'From', hint: 'A line over every order of this size or more' },
];

interface ColumnsMenuProps {
  readonly layout: LadderPreferences['layout'];
  readonly onLayout: (layout: LadderPreferences['layout']) => void;
}

/** Chooses which columns the ladder has, and how its bars are scaled. */
export function ColumnsMenu({ layout, onLayout }: ColumnsMenuProps) {
  const { look: ladder, set } = useLadderLook();
  const { coin } = useBookPage();
  const { large } = ladder;
  const isChosen = large !== 'none' && large !== 'p99';
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
          <span title="Came: added, requoted in and grown. Withdrawn: canceled, requoted out and shrunk. Executions are neither.">
            <Checkbox
              text="Came and withdrawn in 5 s (+, −)"
              checked={ladder.flow}
              onChange={(flow) => set({ flow })}
            />
          </span>
          <Checkbox text="Queue lane" checked={ladder.lane} onChange={(lane) => set({ lane })} />
          <p className="max-w-56 pl-6 text-12 text-dim">
            One segment per order, with the front of the queue at the price; +12 means 12 more orders behind. “Full bar”
            is the size that fills the lane; a bar with two cuts is longer.
          </p>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <Choice
            name="Large orders"
            value={isChosen ? 'from' : large}
            options={LARGE}
            onChange={(next) => set({ large: next === 'from' ? FIRST_LARGE : next })}
          />
          {isChosen && (
            <DecimalField
              label="Large from"
              value={large}
              unit={<span className="text-12 text-dim">{coin}</span>}
              onChange={(next) => {
                const size = leastSize.safeParse(next).data;
                if (size !== undefined) set({ large: size });
              }}
            />
          )}
        </div>
        <Choice
          name="Notional (ntl)"
          value={ladder.notional}
          options={NOTIONALS}
          onChange={(notional) => set({ notional })}
        />
        <Choice name="Bar scale" value={ladder.bars} options={BAR_SCALES} onChange={(bars) => set({ bars })} />
        <Checkbox text="Map of the whole book" checked={ladder.map} onChange={(map) => set({ map })} />
      </div>
    </MenuButton>
  );
}

/** A segmented choice with its name above it. */
function Choice<T extends string>(props: Parameters<typeof Segmented<T>>[0]) {
  return (
    <div>
      <p aria-hidden className="text-12 text-dim">
        {props.name}
      </p>
      <Segmented {...props} />
    </div>
  );
}
