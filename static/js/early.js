/**
 * Opens the run's WebSocket while the modules are still on their way; socket.js takes it over with what it has heard.
 * The one rule: a plain script, because modules only run once all that they import is there.
 */
(() => {
  const path = /** @type {HTMLElement} */ (document.currentScript).dataset.socket;
  const frames = "DecompressionStream" in globalThis ? "&frames=deflate" : "";
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${path}?after=0${frames}`);
  socket.binaryType = "arraybuffer";
  /** @type {{path: string|undefined, socket: WebSocket, heard: MessageEvent[], closed: CloseEvent|null}} */
  const early = { path, socket, heard: [], closed: null };
  socket.onmessage = (message) => { early.heard.push(message); };
  socket.onclose = (closed) => { early.closed = closed; };
  Object.assign(globalThis, { earlySocket: early });
})();
