/** A copy of a text that shares no memory with a longer one. A concatenation is copied when it is next read. */
export function ownCopy<Text extends string>(text: Text): Text {
  return ` ${text}`.slice(1) as Text;
}
