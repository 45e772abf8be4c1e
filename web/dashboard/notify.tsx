import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import type { Sentence } from '../../src/platform/problems';
import { inWords } from './api/telling/in-words';
import { later } from './parts/lazy-component';
import { words } from './words';

/** Their words are fetched with all others. */
export const Warnings = later(() => import('./parts/values/warnings').then((file) => file.Warnings));

const withButton = (text: ReactNode, label: string, onClick: () => void) => (
  <Group justify="space-between" wrap="nowrap">
    {text}
    <Button size="compact-sm" variant="default" onClick={onClick}>
      {label}
    </Button>
  </Group>
);

interface Done {
  /** Reverses the action, if one call can do that. */
  undo?: () => Promise<unknown>;
  /** What the service warns of. */
  warnings?: Sentence[];
}

/** Confirms that an action is done. */
export function notifyDone(text: string, { undo, warnings = [] }: Done = {}): void {
  const id = crypto.randomUUID();
  let isReversed = false;
  const reverse = () => {
    // The second click of a double click comes before the notice has lost its button.
    if (isReversed) return;
    isReversed = true;
    notifications.update({ id, loading: true, autoClose: false, message: said });
    undo!()
      .then(
        () => notifyDone(words.common.undone),
        (error: Error) => notifyFailed(error),
      )
      .finally(() => notifications.hide(id));
  };
  const isWarning = warnings.length > 0;
  const said = isWarning ? <Warnings all={warnings} /> : text;
  notifications.show({
    id,
    color: isWarning ? 'yellow' : 'green',
    autoClose: isWarning ? 20_000 : undo ? 8_000 : 4_000,
    title: isWarning ? text : undefined,
    message: undo ? withButton(said, words.common.undo, reverse) : said,
  });
}

/** Says why another page than the chosen one is shown. */
export function notifyWithheld(): void {
  notifications.show({ id: 'withheld', color: 'yellow', message: words.shell.withheld, autoClose: 10_000 });
}

/** Says that there is nothing to save. */
export function notifyUnchanged(): void {
  notifications.show({ id: 'unchanged', message: words.common.unchanged, autoClose: 4_000 });
}

export function notifyFailed(error: Error): void {
  notifications.show({
    color: 'red',
    title: words.refusals.title,
    message: inWords(error),
    autoClose: 10_000,
  });
}

/** The new orders that the notice on the page tells of. */
const told = new Set<number>();

/**
 * Tells of new orders for half a minute, in one notice. The stream of changes may tell of one twice.
 * @param open opens the order, or the list of all if there are several
 */
export function notifyPlaced(orderId: number, open: (orderId: number | null) => void): void {
  if (told.has(orderId)) return;
  const isFirst = told.size === 0;
  told.add(orderId);
  const show = () => {
    const [only, ...others] = told;
    notifications.hide('placed');
    open(others.length === 0 ? only : null);
  };
  const text = told.size === 1 ? words.shell.placed(orderId) : words.shell.placedMany(told.size);
  const notice = {
    id: 'placed',
    autoClose: 30_000,
    message: withButton(text, words.shell.openPlaced, show),
    onClose: () => told.clear(),
  };
  if (isFirst) notifications.show(notice);
  else notifications.update(notice);
  chime();
}

const SOUND_KEY = 'sound';
const SECONDS = 0.4;
const HERTZ = 880;

/** Whether this browser makes a sound for a new order. It does not until somebody asks for it. */
export const hasSound = () => localStorage.getItem(SOUND_KEY) === 'on';

export function setSound(isOn: boolean): void {
  localStorage.setItem(SOUND_KEY, isOn ? 'on' : 'off');
  chime();
}

/** A short tone that fades, if this browser is to make one. */
function chime(): void {
  if (!hasSound()) return;
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: HERTZ });
  const volume = new GainNode(audio, { gain: 0.2 });
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + SECONDS);
}
