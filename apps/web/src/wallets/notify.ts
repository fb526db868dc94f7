/** Whether the browser still allows notifications of this page. */
export const mayNotify = () => 'Notification' in globalThis && Notification.permission === 'granted';

/**
 * Shows a browser notification; a press on it shows this window. Returns whether the browser has such notifications: on a phone it
 * may have the constructor, which then throws.
 */
export function showNotification(text: string): boolean {
  try {
    const shown = new Notification('L4 Desk', { body: text, tag: 'l4desk-watch' });
    shown.addEventListener('click', () => window.focus());
    return true;
  } catch {
    return false;
  }
}
