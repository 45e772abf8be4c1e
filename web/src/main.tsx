import './library.css';
import './app.css';
import './parts/lists/lists.css';
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
// Mantine's modals lock scrolling with react-remove-scroll, which takes the nonce from this function and not
// from the provider.
setNonce(nonce);

// After an update, files of the older build are gone, and a reload gets the new build. At most once in 30 s,
// so that a missing file does not cause endless reloads.
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
// A transition is drawn in slices of a few milliseconds; otherwise the first rendering would be one long
// task.
startTransition(() => createRoot(document.getElementById('root')!).render(application));
