/**
 * A small scenario in the address alone: `/new#1.<deflate, base64url>`. What follows # is never sent to a server.
 * The one rule: the first characters say how to read the rest; what cannot be read is no scenario, and never an error.
 * @module
 */
const VERSION = "1.";
export const MOST_CHARACTERS = 8000;

/** The fragment of a text, with its `#`; null when it would be too long to be passed on. @param {string} text @returns {Promise<string|null>} */
export async function toFragment(text) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const fragment = `#${VERSION}${toBase64(packed)}`;
  return fragment.length <= MOST_CHARACTERS ? fragment : null;
}

/** The text in a fragment (with or without its `#`); null when there is none, or it is not ours. @param {string} hash @returns {Promise<string|null>} */
export async function fromFragment(hash) {
  const fragment = hash.replace(/^#/, "");
  if (!fragment.startsWith(VERSION) || fragment.length > MOST_CHARACTERS) return null;
  const packed = fromBase64(fragment.slice(VERSION.length));
  if (!packed) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), packed, MOST_BYTES));
  } catch { return null; }
}

/** Whatever is edited is no longer what the link names: the old link leaves the address bar at once. @param {string} [address] */
export function dropOldLink(address = "/new") {
  if (location.pathname + location.search + location.hash !== address) history.replaceState(history.state, "", address);
}

const MOST_BYTES = 4 * 1024 * 1024; // what unpacks to more is a bomb

/** @param {GenericTransformStream} stream @param {Uint8Array} bytes @param {number} [most] @returns {Promise<Uint8Array>} */
async function through(stream, bytes, most = Infinity) {
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => undefined); // the reader below reports it
  const reader = stream.readable.getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) { await reader.cancel(); throw new RangeError("too large"); }
    parts.push(part.value);
  }
  await written;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) { whole.set(part, at); at += part.length; }
  return whole;
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text @returns {Uint8Array|null} */
function fromBase64(text) {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  } catch { return null; }
}
