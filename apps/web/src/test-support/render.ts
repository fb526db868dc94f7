import { type ReactNode, act as reactAct } from 'react';
import { createRoot, type Root } from 'react-dom/client';

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean | undefined;
}

/**
 * Makes a change and resolves when React has rendered what it causes.
 *
 * React is told only meanwhile that updates come from `act`: the service's responses, timers and the router's work come
 * on their own while a test waits for what it expects, and React would warn about each.
 */
export async function act(change: () => unknown): Promise<void> {
  const wasActing = globalThis.IS_REACT_ACT_ENVIRONMENT;
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  try {
    await reactAct(async () => void (await change()));
  } finally {
    globalThis.IS_REACT_ACT_ENVIRONMENT = wasActing;
  }
}

const mounted: { readonly root: Root; readonly container: HTMLElement }[] = [];

/** Removes everything that was rendered. Every component test ends with it (`setup-components.ts`). */
export async function unmountAll(): Promise<void> {
  for (const { root, container } of mounted.splice(0)) {
    await act(async () => root.unmount());
    container.remove();
  }
}

export interface Rendered {
  readonly container: HTMLElement;
  readonly rerender: (node: ReactNode) => Promise<void>;
}

/** Renders into the document until the test ends (`unmountAll`). */
export async function render(node: ReactNode): Promise<Rendered> {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  mounted.push({ root, container });
  const rerender = (next: ReactNode) => act(async () => root.render(next));
  await rerender(node);
  return { container, rerender };
}

/** Returns the one matching element; throws if there is none or more than one. */
export function only(container: ParentNode, selector: string): HTMLElement {
  const found = container.querySelectorAll<HTMLElement>(selector);
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} elements match ${selector}`);
  return first;
}

/** Returns the first button whose name begins with this text, or matches it. */
export function button(name: string | RegExp, container: ParentNode = document): HTMLButtonElement {
  const isNamed = (text: string) => (typeof name === 'string' ? text.startsWith(name) : name.test(text));
  const found = [...container.querySelectorAll('button')].find((one) =>
    isNamed(one.getAttribute('aria-label') ?? one.textContent ?? ''),
  );
  if (found === undefined) throw new Error(`there is no button ${name}`);
  return found;
}

export async function press(
  element: Element,
  key: string,
  modifiers: { readonly shiftKey?: true; readonly ctrlKey?: true; readonly isComposing?: true } = {},
): Promise<void> {
  await act(async () => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers }));
  });
}

export async function click(element: Element): Promise<void> {
  await act(async () => {
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  });
}

/** Types into a field in a way that React notices. */
export async function type(field: HTMLInputElement, text: string): Promise<void> {
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  await act(async () => {
    value?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
