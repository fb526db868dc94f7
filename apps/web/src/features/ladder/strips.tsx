import { X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { PHONE, useMedia } from '../../hooks/use-media.ts';
import { IconButton } from '../../ui/button.tsx';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { GreyedOut, UnprovenAge } from './status/block-age.tsx';
import { FiguresStrip } from './strip/figures-strip.tsx';
import { TimeStrip } from './time/time-strip.tsx';
import type { Panels } from './use-panels.ts';

type StripsProps = ComponentProps<typeof TimeStrip> & { readonly panels: Panels };

export function Strips({ panels, ...time }: StripsProps) {
  const isPhone = useMedia(PHONE);
  return (
    <>
      {/* An open sheet leaves the ladder of a phone few rows. */}
      {panels.strip && !(isPhone && panels.pane !== undefined) && (
        <StripFrame name="Figures" isOfNow onClose={() => panels.onStrip(false)}>
          <FiguresStrip />
        </StripFrame>
      )}
      {panels.time && (
        <StripFrame name="Time" onClose={() => panels.onTime(false)}>
          <TimeStrip {...time} />
        </StripFrame>
      )}
    </>
  );
}

interface StripFrameProps {
  readonly name: string;
  /** Its content is meant to be current. */
  readonly isOfNow?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A closable strip under the ladder, two lines of text high whatever it contains. */
function StripFrame({ name, isOfNow = false, onClose, children }: StripFrameProps) {
  return (
    <section
      data-toasts="above"
      aria-label={name}
      data-part="strip"
      className="relative h-[calc(2lh+12px)] shrink-0 border-t border-line bg-surface-1 text-11"
    >
      {/* Contained, which an item of the page's flex box cannot be. */}
      <div className="absolute inset-0 flex items-center gap-x-1 pr-1 pl-2 text-12 contain-strict">
        {/* Room for the outline of what is at its ends. */}
        <div className="flex h-full min-w-0 grow items-center gap-x-6 overflow-hidden px-1">
          <PaneBoundary name={name}>
            {isOfNow ? <GreyedOut className="min-w-0 grow">{children}</GreyedOut> : children}
          </PaneBoundary>
        </div>
        {/* At the end, where it moves nothing when it appears or becomes longer. */}
        {isOfNow && <UnprovenAge />}
        <IconButton icon={X} name={`Hide: ${name}`} onClick={onClose} />
      </div>
    </section>
  );
}
