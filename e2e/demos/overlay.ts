/** What a guided tour draws over the page. Sent as an event of the window. */
export interface Drawing {
  readonly caption?: { readonly tour: string; readonly text: string };
  /** The element that the caption is about, in window coordinates; null removes the frame. */
  readonly frame?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
}

export const DRAW_EVENT = 'l4desk-tour';

/**
 * Runs in the page before the page's own scripts. Draws a pointer that follows the mouse, a caption and a frame. They are
 * above everything, including dialogs, receive no clicks, and are invisible to the locators of tests. The page's policy
 * forbids style elements and attributes; a style sheet created by script is neither.
 */
export function installOverlay(event: string): void {
  const host = document.createElement('div');
  host.ariaHidden = 'true';
  host.popover = 'manual';
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; border: 0; padding: 0; overflow: hidden;
      background: none; pointer-events: none; font: 15px/1.45 'Inter Variable', system-ui, sans-serif; }
    .caption { position: absolute; left: 50%; bottom: 44px; transform: translateX(-50%); box-sizing: border-box;
      width: max-content; max-width: min(680px, 92vw); padding: 10px 16px; border: 1px solid #7c8797; border-radius: 4px;
      background: #10151d; color: #f3f6fa; }
    .caption.above { bottom: auto; top: 44px; }
    .caption:empty, .frame[hidden] { display: none; }
    .tour { display: block; font-size: 12px; color: #ffb454; }
    .frame { position: absolute; box-sizing: border-box; border: 2px solid #ffb454; border-radius: 4px; }
    .pointer { position: absolute; left: 0; top: 0; width: 24px; height: 24px; overflow: visible; }
    .pointer path { fill: #fff; stroke: #10151d; stroke-width: 1.5; }
    .pointer circle { fill: none; stroke: #ffb454; stroke-width: 3; opacity: 0; }
    .pointer.pressed circle { opacity: 1; }
  `);
  root.adoptedStyleSheets = [sheet];

  const frame = document.createElement('div');
  frame.className = 'frame';
  frame.hidden = true;
  const caption = document.createElement('div');
  caption.className = 'caption';
  const drawn = (name: string, attributes: Readonly<Record<string, string>>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const pointer = drawn('svg', { class: 'pointer', viewBox: '0 0 24 24' });
  pointer.append(
    drawn('circle', { cx: '0', cy: '0', r: '14' }),
    drawn('path', { d: 'M0 0 L0 17 L5 13 L8 20 L11 19 L8 12 L14 12 Z' }),
  );
  root.append(frame, caption, pointer);

  const follow = ({ clientX, clientY }: MouseEvent) => {
    pointer.style.transform = `translate(${clientX}px, ${clientY}px)`;
  };
  addEventListener('pointermove', follow, { capture: true, passive: true });
  addEventListener('pointerdown', () => pointer.classList.add('pressed'), { capture: true, passive: true });
  addEventListener('pointerup', () => pointer.classList.remove('pressed'), { capture: true, passive: true });

  const half = () => innerHeight / 2;
  addEventListener(event, (message) => {
    const { caption: said, frame: shown } = (message as CustomEvent<Drawing>).detail;
    if (!host.isConnected) document.documentElement.append(host);
    // Shown again each time, so that it is above anything the page has put on top since.
    if (host.matches(':popover-open')) host.hidePopover();
    host.showPopover();
    if (said !== undefined) {
      const tour = document.createElement('span');
      tour.className = 'tour';
      tour.textContent = said.tour;
      caption.replaceChildren(tour, said.text);
    }
    if (shown === undefined) return;
    frame.hidden = shown === null;
    // A caption never covers its subject.
    caption.classList.toggle('above', shown !== null && shown.height < half() && shown.y + shown.height / 2 > half());
    if (shown === null) return;
    frame.style.left = `${shown.x - 4}px`;
    frame.style.top = `${shown.y - 4}px`;
    frame.style.width = `${shown.width + 8}px`;
    frame.style.height = `${shown.height + 8}px`;
  });
}
