import { Image as ImageIcon } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { type Caption, drawPicture, type Picture, pngOf } from '../../ui/chart/picture.ts';
import { exportFileName } from '../../ui/export/csv.ts';
import { downloadFile, downloadText } from '../../ui/export/download.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { PopoverClose } from '../../ui/popover.tsx';
import { toast } from '../../ui/toast.tsx';
import type { ChartView } from './chart-view.ts';
import type { History } from './entries.ts';
import { UNIT_TEXTS } from './rates.ts';
import { lookOf } from './series.ts';
import { measuredText, receivedText } from './texts.ts';

interface ChartMenuProps extends ChartView {
  readonly histories: readonly History[];
}

/** Saves the chart as an image, with captions above it. */
export function ChartMenu({ histories, view, unit, paneKind, time }: ChartMenuProps) {
  const picture = (): Picture | undefined => {
    const charts = [...document.querySelectorAll<SVGSVGElement>('[data-chart] .recharts-surface')];
    if (charts.length === 0) {
      toast('No chart to save yet');
      return undefined;
    }
    const below = paneKind === undefined ? '' : `; below: ${paneKind}`;
    const captions: readonly Caption[] = [
      { text: `Funding, ${UNIT_TEXTS[unit].axis}${below}` },
      { text: `${time.second(view.from)} to ${time.second(view.to)}` },
      ...histories.map((history, at): Caption => {
        const { letter, colour, dash } = lookOf(at);
        return {
          text: `${letter}  ${history.coin}: ${history.silence === undefined ? `${measuredText(history.completeness, time.day)}; ` : ''}${receivedText(history)}`,
          colour,
          dash,
        };
      }),
    ];
    return drawPicture(charts, captions);
  };
  const nameOf = (ending: 'svg' | 'png') =>
    exportFileName(['funding', ...histories.map(({ coin }) => coin)], new Date(), ending);
  const saveSvg = () => {
    const made = picture();
    if (made !== undefined) downloadText(nameOf('svg'), 'image/svg+xml', made.svg);
  };
  const savePng = () => {
    const made = picture();
    if (made === undefined) return;
    pngOf(made).then(
      (file) => downloadFile(nameOf('png'), file),
      () => toast('The browser could not create a PNG. Save the SVG instead.'),
    );
  };
  return (
    <MenuButton icon={ImageIcon} name="Picture">
      <div className="flex w-56 flex-col gap-2">
        <p className="text-dim">The chart as shown, with coins, intervals and times above it.</p>
        <PopoverClose asChild>
          <Button look="plain" onClick={savePng}>
            Save PNG
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button look="plain" onClick={saveSvg}>
            Save SVG
          </Button>
        </PopoverClose>
      </div>
    </MenuButton>
  );
}
