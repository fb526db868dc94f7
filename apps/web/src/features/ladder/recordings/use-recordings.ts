import { type SessionRecordings, sessionRecordings } from '@l4desk/protocol';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { request } from '../../../api/request.ts';
import { useBook, useLive } from '../../../book-worker/use-book.ts';
import { useActions } from '../../../hooks/actions.ts';
import { useStable } from '../../../hooks/use-stable.ts';
import { useOpenedRecording } from '../../../state/opened-recording.ts';
import { downloadFile } from '../../../ui/export/download.ts';
import { counted } from '../../../ui/format.ts';
import { toast } from '../../../ui/toast.tsx';

const route = getRouteApi('/app/book/$coin');

type ServiceRecording = Pick<SessionRecordings['recordings'][number], 'name' | 'state'>;

export type RecordingActions = ReturnType<typeof useRecordings>;

/** The service's recordings, newest first; fetched each time the menu opens, because the service keeps recording. */
export const recordingsQuery = {
  queryKey: ['session', 'recordings'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    request('/session/recordings', sessionRecordings, { signal }),
  staleTime: 0,
} as const;

export function useRecordings(coin: string, onTime: (shown: boolean) => void) {
  const live = useLive();
  const own = route.useParams().coin;
  const navigate = useNavigate();
  const shown = useBook(({ status }) => status?.recorded?.coin);
  useEffect(() => {
    if (shown === undefined) return undefined;
    return () => useOpenedRecording.setState({ coin: undefined, isWriting: false });
  }, [shown]);
  /** What is being opened or saved, and why the last time failed. */
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const show = async (name: string, read: () => Promise<Blob>, isWriting = false) => {
    setBusy(`Opening ${name} …`);
    setProblem(undefined);
    try {
      const outcome = await live.call('openRecording', { file: await read(), name });
      if (outcome.kind === 'refused') setProblem(`${name}: ${outcome.problem}`);
      else if (outcome.coin === coin) {
        useOpenedRecording.setState({ coin, isWriting });
        onTime(true);
      } else if (own === coin) {
        useOpenedRecording.setState({ coin: outcome.coin, isWriting });
        await navigate({ to: '/book/$coin', params: { coin: outcome.coin }, search: { time: '1' } });
      } else {
        live.closeRecording();
        setProblem(`${name} is a recording of ${outcome.coin}: open it from the page's first ladder.`);
      }
    } catch (error) {
      setProblem(`${name} could not be read: ${error instanceof Error ? error.message : String(error)}.`);
    } finally {
      setBusy(undefined);
    }
  };
  const save = async () => {
    setBusy('Saving the kept minutes …');
    setProblem(undefined);
    const outcome = await live.call('exportPast', `the page of ${location.host}`);
    setBusy(undefined);
    if (outcome.kind === 'refused') return setProblem(outcome.problem);
    downloadFile(outcome.name, outcome.file);
    toast(`Saved ${outcome.name}, ${counted(outcome.file.size, 'byte')}`);
  };
  const onFile = (file: File) => void show(file.name, async () => file);
  const actions = useStable({
    onFile,
    onService: ({ name, state }: ServiceRecording) => void show(name, () => download(name), state === 'writing'),
    onPick: () => pickFile(onFile),
    onSave: () => void save(),
    onLeave: () => live.closeRecording(),
    onDismiss: () => setProblem(undefined),
  });
  const { onSave, onPick, onLeave } = actions;
  useActions(
    'Recordings',
    [
      { id: 'recording save', label: 'Save the kept minutes as a recording', run: onSave },
      { id: 'recording open', label: 'Open a recording', run: onPick },
      {
        id: 'recording leave',
        label: 'Leave the recording',
        hint: 'L',
        isEnabled: shown !== undefined,
        run: onLeave,
      },
    ],
    'Exports',
  );
  return { ...actions, busy, problem };
}

async function download(name: string): Promise<Blob> {
  const response = await fetch(`/session/recordings/${encodeURIComponent(name)}`, { credentials: 'same-origin' });
  if (!response.ok)
    throw new Error(
      response.status === 404 ? 'the service has it no longer' : `the service responded ${response.status}`,
    );
  return response.blob();
}

function pickFile(onFile: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.l4rec';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) onFile(file);
  });
  input.click();
}
