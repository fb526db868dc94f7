import { Image as ImageIcon } from 'lucide-react';
import { Button } from '../button.tsx';
import { exportFileName } from '../export/csv.ts';
import { downloadFile, downloadText } from '../export/download.ts';
import { MenuButton } from '../menu-button.tsx';
import { PopoverClose } from '../popover.tsx';
import { toast } from '../toast.tsx';
import { type Caption, drawPicture, type Picture, pngOf } from './picture.ts';

interface PictureMenuProps {
  readonly name: readonly string[];
  readonly captions: () => readonly Caption[];
}

/** Saves the charts of the page as one image, with captions above them. */
export function PictureMenu({ name, captions }: PictureMenuProps) {
  const picture = (): Picture | undefined => {
    const charts = [...document.querySelectorAll<SVGSVGElement>('[data-chart] .recharts-surface')];
    if (charts.length > 0) return drawPicture(charts, captions());
    toast('No chart to save yet');
    return undefined;
  };
  const nameOf = (ending: 'svg' | 'png') => exportFileName(name, new Date(), ending);
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
        <p className="text-dim">The chart as shown, with what it shows above it.</p>
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
