// Loaded first by a process whose clock is to be wrong by CLOCK_SKEW_MS milliseconds; timers and durations go
// on as ever.
const skew = Number(process.env.CLOCK_SKEW_MS ?? 0);
const System = Date;

globalThis.Date = class extends System {
  constructor(...values) {
    super(...(values.length > 0 ? values : [System.now() + skew]));
  }

  static now() {
    return System.now() + skew;
  }
};
