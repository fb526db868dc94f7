import { setTimeout as delay } from 'node:timers/promises';
import type { VenueControl } from '@l4desk/testkit/stack';
import { expect, type Locator, type Page } from '@playwright/test';
import { test as base } from '../fixtures/test.ts';
import { DRAW_EVENT, type Drawing, installOverlay } from './overlay.ts';

/**
 * Pace of a tour, as a multiple of the time that reading and moving by hand take. `npm run demo` sets 1. In tests it is
 * 0: the tour waits only for the page.
 */
const PACE = Number(process.env.L4DESK_DEMO_PACE ?? '0');

const READING_MS_PER_CHARACTER = 55;
const READING_MS_MIN = 1_500;
const HAND_STEPS = 28;
const HAND_STEP_MS = 18;
const KEY_MS = 90;
const PRESSED_MS = 350;
const BLOCK_MS = 70;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Leads through a page: shows captions, points at things, and presses and types as a person would. */
export class Guide {
  readonly page: Page;
  readonly #tour: string;
  readonly #venue: VenueControl;
  #hand: Place = { x: 700, y: 440 };

  constructor(page: Page, venue: VenueControl, tour: string) {
    this.page = page;
    this.#venue = venue;
    this.#tour = tour;
  }

  /** Opens an address of the dashboard. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.mouse.move(this.#hand.x, this.#hand.y);
  }

  /** Shows a caption about the whole page for as long as it takes to read. */
  async say(text: string): Promise<void> {
    await this.#draw({ caption: { tour: this.#tour, text }, frame: null });
    await this.#read(text);
  }

  /** Shows a caption about one element, which it frames and points at. */
  async point(target: Locator, text: string): Promise<void> {
    const frame = await this.#boxOf(target);
    await this.#draw({ caption: { tour: this.#tour, text }, frame });
    await this.#move({ x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 });
    await this.#read(text);
  }

  /** Moves to a control, or to a place in it, and clicks it. */
  async press(target: Locator, at?: Place): Promise<void> {
    if (PACE > 0) {
      const { x, y, width, height } = await this.#boxOf(target);
      await this.#draw({ frame: null });
      await this.#move({ x: x + (at?.x ?? width / 2), y: y + (at?.y ?? height / 2) });
    }
    await target.click({ ...(at === undefined ? {} : { position: at }), delay: PACE * PRESSED_MS });
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: PACE * KEY_MS });
  }

  /** Presses a key. */
  async key(name: string): Promise<void> {
    await this.page.keyboard.press(name, { delay: PACE * PRESSED_MS });
  }

  /** Lets the market make `blocks` blocks. At a pace above 0, they come at about the exchange's own pace. */
  async market(blocks: number): Promise<void> {
    if (PACE === 0) {
      await this.#venue.step(blocks);
      return;
    }
    for (let made = 0; made < blocks; made += 1) {
      await this.#venue.step();
      await delay(PACE * BLOCK_MS);
    }
  }

  async #boxOf(target: Locator): Promise<Place & { readonly width: number; readonly height: number }> {
    let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
    // Retried, because the element may be replaced meanwhile.
    await expect(async () => {
      await target.scrollIntoViewIfNeeded({ timeout: 5_000 });
      box = await target.boundingBox();
      expect(box, `where ${String(target)} is`).not.toBeNull();
    }).toPass();
    return box ?? { x: 0, y: 0, width: 0, height: 0 };
  }

  async #draw(drawing: Drawing): Promise<void> {
    await this.page.evaluate(
      ([event, detail]) => {
        dispatchEvent(new CustomEvent(event, { detail }));
      },
      [DRAW_EVENT, drawing] as const,
    );
  }

  async #move(to: Place): Promise<void> {
    const from = this.#hand;
    this.#hand = to;
    const steps = PACE === 0 ? 1 : HAND_STEPS;
    for (let step = 1; step < steps; step += 1) {
      // Slow at the beginning and at the end.
      const way = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      await this.page.mouse.move(from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way);
      await delay(PACE * HAND_STEP_MS);
    }
    await this.page.mouse.move(to.x, to.y);
  }

  async #read(text: string): Promise<void> {
    if (PACE > 0) await delay(PACE * Math.max(READING_MS_MIN, text.length * READING_MS_PER_CHARACTER));
  }
}

/** Tests that are tours: signed in as the demo account with both kinds of key. */
export const test = base.extend<{ readonly guide: Guide }>({
  storageState: async ({ fullSession }, provide) => provide(fullSession),
  colorScheme: 'dark',

  guide: async ({ page, stack }, provide, { title }) => {
    await using _ = await page.addInitScript(installOverlay, DRAW_EVENT);
    await provide(new Guide(page, stack.venue, title));
  },
});

export { expect } from '@playwright/test';
