import { words } from '../../words';

/** What keeps this browser from telling of orders; null if nothing does. */
export function obstacle(): string | null {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return words.notices.notSupported;
  return Notification.permission === 'denied' ? words.notices.blocked : null;
}

/** Whether the person has allowed this browser to show notices. */
export const isAllowed = () => obstacle() === null && Notification.permission === 'granted';

/**
 * Asks the person, and subscribes to the browser's push service.
 * @param publicKey of the service. A subscription of another key, from before, is given up
 * @throws Error saying why there is none
 */
export async function subscribe(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(obstacle() ?? words.notices.notAllowed);
  // The worker may act for all pages of the dashboard, which are below its own address.
  await navigator.serviceWorker.register(new URL('notices-worker.js', document.baseURI));
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const { endpoint, keys } = (
    await pushManager.subscribe(options).catch(async (error: Error) => {
      const former = error.name === 'InvalidStateError' && (await pushManager.getSubscription());
      if (!former) throw new Error(words.notices.noPushService);
      await former.unsubscribe();
      return pushManager.subscribe(options);
    })
  ).toJSON();
  return { endpoint: endpoint!, p256dh: keys!.p256dh, auth: keys!.auth };
}
