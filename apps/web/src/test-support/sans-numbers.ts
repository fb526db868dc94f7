/**
 * Texts of an element with a number that is not in the number font. Digits in a name, such as `@107`, do not count as a number.
 */
export function sansNumbers(element: Element): readonly string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { nodeValue, parentElement } = node;
    if (/(?<![\w@])\d/.test(nodeValue ?? '') && parentElement?.closest('.num') === null) found.push(nodeValue ?? '');
  }
  return found;
}
