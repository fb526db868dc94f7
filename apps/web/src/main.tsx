import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient, renderResponsesTogether } from './api/query-client.ts';
import { SessionStore } from './api/session-store.ts';
import { takeOneTimeToken } from './app/one-time-token.ts';
import { makeRouter } from './app/router.tsx';
import { followOtherWindows } from './state/account.ts';
import { applyPreferences } from './state/preferences.ts';

const oneTimeToken = takeOneTimeToken(location, history);
applyPreferences();
followOtherWindows();
renderResponsesTogether();

// The client for requests made while nobody is signed in; each account has its own client.
const queryClient = makeQueryClient();
const router = makeRouter({ sessions: new SessionStore(), oneTimeToken });

const container = document.getElementById('app');
if (container === null) throw new Error('index.html has no #app');
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
