import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { toast } from '../ui/toast.tsx';

interface Closable {
  readonly onClose: () => void;
}

export interface Later<P extends Closable> {
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
