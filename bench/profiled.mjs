// Loaded before a server that bench/profile.mjs examines. The first SIGUSR2 starts a profile, the next one
// writes it to the file PROFILE.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
let isOn = false;
process.on('SIGUSR2', async () => {
  if (isOn) {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(process.env.PROFILE, JSON.stringify(profile));
    console.log('profile written');
  } else {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 250 });
    await session.post('Profiler.start');
  }
  isOn = !isOn;
});
