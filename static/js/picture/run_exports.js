/**
 * The pictures of a step that a run can be taken away as. The one rule: the picture is of what is on the stage now.
 * @module
 */
import { pngOf, svgOf } from "./svg.js";

const SKIPPED = ".stage-tools, .legend, .transcript, .qr-box, .take-out";

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-picture]"));
  const stage = /** @type {HTMLElement|null} */ (document.querySelector("[data-part=stage]"));
  if (!button || !stage) return;
  button.closest("details")?.removeAttribute("open");
  const title = document.querySelector("h1")?.textContent || "";
  const step = document.querySelector("[data-part=step]")?.textContent || "";
  const drawing = svgOf(stage, { skip: SKIPPED, title, lines: [title, step].filter(Boolean) });
  const kind = button.dataset.picture || "svg";
  const blob = kind === "png" ? await pngOf(drawing) : new Blob([drawing.svg], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${stage.closest("[data-run]")?.getAttribute("data-run") || "step"}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});
