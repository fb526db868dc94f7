import {
  type ComponentType,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { toast } from '../ui/toast.tsx';

interface Closable {
  readonly onClose: () => void;
}

interface Later<P extends Closable> {
  /** Loads the part when it is first rendered. If loading fails, it closes with a message; opening it tries again. */
  readonly Part: ComponentType<P>;
  readonly ahead: () => void;
}

export function later<P extends Closable>(load: () => Promise<ComponentType<P>>): Later<P> {
  let loaded: ComponentType<P> | undefined;
  const fetchPart = async () => {
    loaded = await load();
    return loaded;
  };
  function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const giveUp = useEffectEvent(() => {
      toast('Part of the page failed to load: the service is not responding. Try again later.');
      props.onClose();
    });
    useEffect(() => {
      if (Loaded !== undefined) return;
      let left = false;
      const arrive = async () => {
        try {
          const part = await fetchPart();
          if (!left) setLoaded(() => part);
        } catch {
          if (!left) giveUp();
        }
      };
      void arrive();
      return () => {
        left = true;
      };
    }, [Loaded]);
    return Loaded === undefined ? null : <Loaded {...props} />;
  }
  // A failed preload is tried again when the part is opened.
  return { Part, ahead: () => void fetchPart().catch(() => {}) };
}

const Plain = later(async () => (await import('../ui/anchored-popover.tsx')).AnchoredPopover);

/** Preloads what menus need to open. */
export const loadMenus = Plain.ahead;

export interface MenuPanel {
  readonly name: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

interface MenuButton {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly onClick: () => void;
  readonly 'aria-haspopup': 'dialog';
  readonly 'aria-expanded': boolean;
}

interface MenuProps {
  readonly name: string;
  readonly renderButton: (props: MenuButton) => ReactElement;
  /** The panel's content; a function receives the callback that closes it. */
  readonly children?: ReactNode | ((close: () => void) => ReactNode);
  /** Instead of `children`: a panel loaded together with its content, because the focus moves into it once, when it opens. */
  readonly panel?: Later<MenuPanel>;
}

/** A button of the header with its panel, which is loaded separately from the shell. */
export function Menu({ name, renderButton, children, panel }: MenuProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const shown: MenuPanel = { name, anchor, onClose: close };
  return (
    <>
      {renderButton({
        ref: anchor,
        onClick: () => setOpen((now) => !now),
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
      })}
      {open &&
        (panel === undefined ? (
          <Plain.Part {...shown}>{typeof children === 'function' ? children(close) : children}</Plain.Part>
        ) : (
          <panel.Part {...shown} />
        ))}
    </>
  );
}
