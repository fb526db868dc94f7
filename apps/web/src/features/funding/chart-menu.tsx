import type { Caption } from '../../ui/chart/picture.ts';
import { PictureMenu } from '../../ui/chart/picture-menu.tsx';
import type { ChartView } from './chart-view.ts';
import type { History } from './entries.ts';
import { UNIT_TEXTS } from './rates.ts';
import { lookOf } from './series.ts';
import { measuredText, receivedText } from './texts.ts';

interface ChartMenuProps extends ChartView {
  readonly histories: readonly History[];
}

/** Saves the chart as an image, with coins, intervals and times above it. */
export function ChartMenu({ histories, view, unit, paneKind, time }: ChartMenuProps) {
  const captions = (): readonly Caption[] => [
    { text: `Funding, ${UNIT_TEXTS[unit].axis}${paneKind === undefined ? '' : `; below: ${paneKind}`}` },
    { text: `${time.second(view.from)} to ${time.second(view.to)}` },
    ...histories.map((history, at): Caption => {
      const { letter, colour, dash } = lookOf(at);
      const measured = history.silence === undefined ? `${measuredText(history.completeness, time.day)}; ` : '';
      return { text: `${letter}  ${history.coin}: ${measured}${receivedText(history)}`, colour, dash };
    }),
  ];
  return <PictureMenu name={['funding', ...histories.map(({ coin }) => coin)]} captions={captions} />;
}
