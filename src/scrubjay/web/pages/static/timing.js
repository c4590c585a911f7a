/** How long somebody works on a document: pauses longer than a minute do not count. */

import { send } from "./send.js";

const PAUSE = 60_000;
const SEND_EVERY = 30_000;

/** Count time while the page is seen and used, and send it to an address now and then. */
export function countTime(address, isCounting) {
  let last = performance.now();
  let spent = 0;
  const tick = () => {
    const now = performance.now();
    if (isCounting() && !document.hidden) spent += Math.min(now - last, PAUSE);
    last = now;
  };
  const flush = () => {
    tick();
    const seconds = spent / 1000;
    if (seconds === 0) return Promise.resolve();
    spent = 0;
    // A lost report loses some seconds of a statistic, and must disturb nobody.
    return send(`${address}/seconds`, { seconds }, { keepalive: true }).catch(() => null);
  };
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "scroll"]) {
    document.addEventListener(name, tick, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", flush);
  addEventListener("pagehide", flush);
  setInterval(flush, SEND_EVERY);
  return flush;
}
