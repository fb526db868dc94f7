export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

/** The colour of a signed text; its sign says the same. */
export function signColour(text: string | undefined): string {
  if (text?.startsWith('+')) return 'text-bid';
  return text?.startsWith('−') ? 'text-ask' : 'text-text';
}
