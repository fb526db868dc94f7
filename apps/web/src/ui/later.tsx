import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { toast } from './toast.tsx';

interface Closable {
  readonly onClose: () => void;
}

export interface Later<P extends Closable> {
  /** Loads the part when it is first rendered. If loading fails, it closes with a message; opening it tries again. */
  readonly Part: ComponentType<P>;
  readonly ahead: () => void;
}

/** Whether the service responds; if so, a file that could not be loaded is gone, for example after an update. */
export async function serviceResponds(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

async function reportMissing(): Promise<void> {
  if (await serviceResponds())
    toast('The service no longer has this part of the page. After an update, reload.', { text: 'Reload', run: reload });
  else toast('Part of the page failed to load: the service is not responding. Try again later.');
}

const reload = () => window.location.reload();

export function later<P extends Closable>(load: () => Promise<ComponentType<P>>): Later<P> {
  let loaded: ComponentType<P> | undefined;
  const fetchPart = async () => {
    loaded = await load();
    return loaded;
  };
  function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const giveUp = useEffectEvent(() => {
      props.onClose();
      void reportMissing();
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
