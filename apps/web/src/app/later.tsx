import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { toast } from '../ui/toast.tsx';

/** Something that opens and closes. */
interface Closable {
  readonly onClose: () => void;
}

/** A part of the shell that is not loaded with it. */
export interface Later<P extends Closable> {
  /** Loads it when it is first drawn. A part that does not come is closed, with a word about why; opening it asks again. */
  readonly Part: ComponentType<P>;
  /** Loads it before it is wanted. */
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
  // What does not come ahead is asked for when it is opened.
  return { Part, ahead: () => void fetchPart().catch(() => {}) };
}
