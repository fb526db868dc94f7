/** By name; undefined takes the attribute away. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** What was written last, by name: to read that from the page would cost as much as to write it. */
export type Written = Map<string, string | undefined>;

/** Writes those attributes that differ from what was written last. */
export function writeAttributes(element: Element, attributes: Attributes, written: Written): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === undefined ? undefined : String(value);
    if (written.has(name) && written.get(name) === text) continue;
    written.set(name, text);
    if (text === undefined) element.removeAttribute(name);
    else element.setAttribute(name, text);
  }
}
