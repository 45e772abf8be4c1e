import './start/first-picture';
import './fonts.css';
import './library.css';
import './mantine.css';
import './app.css';
import './frame.css';
import './touch.css';
import './parts/forms/forms.css';
import './parts/lists/filters.css';
import './parts/lists/lists.css';
import './parts/lists/tables.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries';
import { Notices } from './parts/notices';
import { createAppRouter } from './router';
import { ignoreSecondClicks } from './api/second-click';
import { appTheme, cssVariablesResolver } from './theme';
import { loadWords } from './words';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')!.content;
// Mantine's modals lock scrolling with react-remove-scroll, which takes the nonce from this function and not
// from the provider.
setNonce(nonce);

ignoreSecondClicks();
await loadWords();
const application = (
  <MantineProvider
    theme={appTheme()}
    cssVariablesResolver={cssVariablesResolver}
    // The script contains the theme's variables anyway, so the styles come without the 3 kB of them.
    deduplicateCssVariables={false}
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
