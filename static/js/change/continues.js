/**
 * A run that goes on from another one: says after which step, and plays on from there when one has just made the change.
 * The one rule: it only moves the player when the address says that a change was just made.
 * @module
 */
import { seconds } from "../format.js";

/** @param {{page: HTMLElement, store: import("../trace/store.js").TraceStore, player: import("../player.js").Player, words: import("../words.js").Words}} run @returns {{grew: () => void}} */
export function wireContinues({ store, player, words }) {
  const line = /** @type {HTMLElement|null} */ (document.querySelector("[data-part=continues]"));
  if (!line) return { grew: () => {} };
  const after = Number(line.dataset.after);
  let playsOn = location.hash === "#continue";
  if (playsOn) history.replaceState(null, "", location.href.replace(/#continue$/, ""));

  const draw = () => {
    const event = store.event(after);
    const text = line.querySelector("[data-part=after]");
    if (!event || !text) return;
    const index = store.steps.bySeq[after];
    text.textContent = words.say("continues.after", { at: index + 1, seconds: seconds(event.t) });
    const old = /** @type {HTMLAnchorElement|null} */ (line.querySelector("[data-part=old]"));
    if (old) old.search = `?step=${store.steps.places[index].path}`;
  };
  const narrow = globalThis.matchMedia("(max-width: 1199px)");
  const home = line.nextElementSibling;
  /** The header is full on a narrow screen; the line then stands below the cluster. */
  const settle = () => { if (narrow.matches) document.querySelector(".stage-tools")?.after(line); else home?.before(line); };
  narrow.addEventListener("change", settle);
  settle();
  words.addEventListener("change", draw);
  draw();
  return {
    grew() {
      draw();
      if (!playsOn || store.lastSeq <= after || player.at < store.steps.firstOf(after)) return;
      playsOn = false;
      if (!globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
    },
  };
}
