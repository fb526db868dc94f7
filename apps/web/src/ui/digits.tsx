interface DigitsProps {
  /** Characters that it always has room for, so that what follows stays where it is. */
  readonly room: number;
  readonly children: string;
}

export function Digits({ room, children }: DigitsProps) {
  return (
    <span className="num inline-block" style={{ minWidth: `${room}ch` }}>
      {children}
    </span>
  );
}
