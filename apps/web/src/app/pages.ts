/** The pages of the navigation, in order. A page is listed once it is there. */
export const PAGES = [{ to: '/book', text: 'Book' }] as const;
