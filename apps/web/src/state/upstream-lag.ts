import { create } from 'zustand';

/** How far the upstream's state is behind, in ms, while it is late (D64); undefined while it is not, or does not tell. */
export const useUpstreamLag = create<{ readonly lagMs: number | undefined }>()(() => ({ lagMs: undefined }));
