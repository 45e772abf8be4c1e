declare global {
  interface Window {
    /** What boot.js has asked for before this code was there, by address and body. */
    early?: Record<string, Promise<Response | null>>;
  }
}

const begun = new Map(Object.entries(window.early ?? {}));
/** The data of those that have come. */
const arrived = new Map<string, unknown>();
for (const [key, answer] of begun) {
  const keep = async (response: Response | null) => {
    if (!response?.ok) return;
    const { data } = (await response.clone().json()) as { data: unknown };
    if (begun.has(key)) arrived.set(key, data);
  };
  // What is cut short is told to whoever takes the answer.
  answer.then(keep).catch(() => undefined);
}

const keyOf = (url: URL, body = '') => `${url.href} ${body}`;

/** The answer to what has been asked for early. It is given once, and only if it is a good one. */
export async function earlyAnswer(url: URL, body?: string): Promise<Response | null> {
  const key = keyOf(url, body);
  const answer = begun.get(key);
  forget(key);
  const response = await answer;
  return response?.ok ? response : null;
}

/** The data of such an answer if it has come, once, so that a page is drawn with them at first. */
export function arrivedData(url: URL, body?: string): unknown {
  const key = keyOf(url, body);
  const data = arrived.get(key);
  if (data !== undefined) forget(key);
  return data;
}

function forget(key: string) {
  begun.delete(key);
  arrived.delete(key);
}
