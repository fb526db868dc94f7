/** Attributes by name; undefined removes the attribute. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** The values written last, by name: reading them from the DOM would cost as much as writing. */
export type Written = Map<string, string | undefined>;

/** Writes the attributes that differ from what was written last. */
export function writeAttributes(element: Element, attributes: Attributes, written: Written): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === undefined ? undefined : String(value);
    if (written.has(name) && written.get(name) === text) continue;
    written.set(name, text);
    if (text === undefined) element.removeAttribute(name);
    else element.setAttribute(name, text);
  }
}
