/**
 * A text of characters of one width in a box of its own, as wide as they are: while it has as many, another text lays
 * nothing out around it. It stands in a line of 16 px.
 */
export function SteadyText({ children }: { readonly children: string }) {
  return (
    <span className={STEADY} style={{ width: `${children.length}ch` }}>
      {children}
    </span>
  );
}

/** How such a box looks. */
export const STEADY = 'num inline-block h-4 align-top whitespace-pre contain-size contain-layout contain-style';
