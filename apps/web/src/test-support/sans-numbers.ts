/** The texts of an element that hold a number which is not in the number face; digits of a name, such as `@107`, are none. */
export function sansNumbers(element: Element): readonly string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { nodeValue, parentElement } = node;
    if (/(?<![\w@])\d/.test(nodeValue ?? '') && parentElement?.closest('.num') === null) found.push(nodeValue ?? '');
  }
  return found;
}
