/** Spread on an element around figures with titles: it is one stop of the keyboard, at which all of their tooltips open. */
export const GROUP_OF_HINTS = { tabIndex: 0, 'data-hints': '' } as const;
