import './library.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries';
import { isFetchedAhead } from './parts/later';
import { Notices } from './parts/notify';
import { createAppRouter } from './router';
import { appTheme, cssVariablesResolver } from './theme';
import { loadWords } from './words';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')!.content;
// Mantine's modals lock scrolling with react-remove-scroll, which takes its nonce from here and not from the provider.
setNonce(nonce);

// A part of an older build is gone after an update: the new build is a reload away. Once, so that a lost file is no endless loop.
addEventListener('vite:preloadError', (event) => {
  if (isFetchedAhead()) return;
  const reloaded = Number(sessionStorage.getItem('reloaded') ?? 0);
  if (Date.now() - reloaded < 30_000) return;
  event.preventDefault();
  sessionStorage.setItem('reloaded', String(Date.now()));
  location.reload();
});

await loadWords();
const application = (
  <MantineProvider
    theme={appTheme()}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={queryClient}>
      <Notices />
      <RouterProvider router={createAppRouter()} />
    </QueryClientProvider>
  </MantineProvider>
);
// A transition is drawn in pieces of some milliseconds, the first rendering otherwise in one go.
startTransition(() => createRoot(document.getElementById('root')!).render(application));
