import { create } from 'zustand';

/** A menu of the title line, or the legend. */
type PageMenu = 'coin' | 'add' | 'workspaces' | 'legend';

/** Which of them is open over the page. */
const useOpened = create<{ readonly menu: PageMenu | undefined }>()(() => ({ menu: undefined }));

export const openPageMenu = (menu: PageMenu) => useOpened.setState({ menu });

export const closePageMenus = () => useOpened.setState({ menu: undefined });

/** Whether a menu is open, and what opens or closes it. */
export function usePageMenu(menu: PageMenu) {
  const open = useOpened((state) => state.menu === menu);
  const onOpenChange = (isOpen: boolean) => {
    // One may be told to close after another one was opened.
    if (isOpen) openPageMenu(menu);
    else if (useOpened.getState().menu === menu) closePageMenus();
  };
  return { open, onOpenChange };
}
