/** Player and socket without a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { Player, commandOf } from "../../static/js/player.js";
import { bandsShown } from "../../static/js/playerbar.js";
import { RunSocket, backOff } from "../../static/js/socket.js";
import { Steps } from "../../static/js/trace/steps.js";

const key = (name, held = {}) => ({ key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });
function trace(count) {
  const steps = new Steps();
  for (let seq = 1; seq <= count; seq += 1) steps.push({ seq, t: 0, kind: seq === 1 ? "run.started" : "cycle.started", path: seq === 1 ? "start" : `c${seq}`, cause: null, phase: null, message: { id: "", args: {} }, data: {} });
  return steps;
}

test("keys of the player, and of a slide clicker", () => {
  assert.deepEqual(commandOf(key("ArrowRight")), ["move", "node", 1]);
  assert.deepEqual(commandOf(key("ArrowLeft", { shiftKey: true })), ["move", "check", -1]);
  assert.deepEqual(commandOf(key("PageDown")), ["move", "phase", 1]);
  assert.deepEqual(commandOf(key("[")), ["move", "decision", -1]);
  assert.deepEqual(commandOf(key(".")), ["toggle"]);
  assert.equal(commandOf(key("r", { ctrlKey: true })), null);
  assert.equal(commandOf(key("x")), null);
});

test("going back stays back while more events stream in", () => {
  const steps = trace(5);
  const player = new Player(steps);
  player.live();
  assert.equal(player.at, 4);
  player.go(1);
  steps.push({ seq: 6, t: 0, kind: "run.finished", path: "end", cause: null, phase: null, message: { id: "", args: {} }, data: {} });
  player.grew();
  assert.equal(player.at, 1);
  assert.equal(player.behind, 4);
});

test("live follows the newest event", () => {
  const steps = trace(3);
  const player = new Player(steps);
  player.live();
  steps.push({ seq: 4, t: 0, kind: "run.finished", path: "end", cause: null, phase: null, message: { id: "", args: {} }, data: {} });
  player.grew();
  assert.equal(player.at, 3);
});

test("waiting doubles, never beyond the longest, and never all at once", () => {
  assert.equal(backOff(1, 1), 800);
  assert.equal(backOff(20, 1), 15000);
  assert.equal(backOff(20, 0), 7500);
});

const buffer = (/** @type {Buffer} */ bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

class FakeSocket extends EventTarget {
  static opened = [];
  constructor(url) { super(); this.url = url; FakeSocket.opened.push(this); }
  hearDeflated(message) { this.dispatchEvent(Object.assign(new Event("message"), { data: buffer(deflateRawSync(JSON.stringify(message))) })); }
  hear(message) { this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) })); }
  close(code) { this.dispatchEvent(Object.assign(new Event("close"), { code })); }
}

test("after a break the socket asks again from the last event it has", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.opened = [];
  let cursor = 0;
  const socket = new RunSocket("/ws/runs/x/", () => cursor, { WebSocket: FakeSocket, origin: "ws://here" });
  socket.addEventListener("events", (event) => { cursor = event.detail.at(-1).seq; });
  socket.open();
  FakeSocket.opened[0].hear({ type: "hello", run: "x", status: "running", last_seq: 2 });
  FakeSocket.opened[0].hear({ type: "events", events: [{ seq: 1 }, { seq: 2 }] });
  FakeSocket.opened[0].close(1012);
  t.mock.timers.tick(20000);
  assert.equal(FakeSocket.opened[1].url, "ws://here/ws/runs/x/?after=2&frames=deflate");
});

test("deflated frames, plain ones and the end are heard in the order in which they came", async () => {
  FakeSocket.opened = [];
  const heard = [];
  const socket = new RunSocket("/ws/runs/x/", () => heard.length, { WebSocket: FakeSocket, origin: "ws://here" });
  socket.addEventListener("events", (event) => heard.push(...event.detail.map((each) => each.seq)));
  const done = new Promise((resolve) => { socket.addEventListener("status", (event) => { if (event.detail.link === "done") resolve(event.detail.run); }); });
  socket.open();
  const [line] = FakeSocket.opened;
  assert.equal(line.binaryType, "arraybuffer");
  line.hear({ type: "hello", run: "x", status: "running", last_seq: 4 });
  line.hearDeflated({ type: "events", events: [{ seq: 1 }, { seq: 2 }] });
  line.hear({ type: "events", events: [{ seq: 3 }] });
  line.hearDeflated({ type: "events", events: [{ seq: 4 }] });
  line.hear({ type: "end", status: "finished", last_seq: 4 });
  line.close(1000);
  assert.equal(await done, "finished");
  assert.deepEqual(heard, [1, 2, 3, 4]);
  assert.equal(FakeSocket.opened.length, 1);
});

test("a frame that cannot be inflated breaks the line, and the socket asks again", async () => {
  FakeSocket.opened = [];
  const socket = new RunSocket("/ws/runs/x/", () => 7, { WebSocket: FakeSocket, origin: "ws://here" });
  const waits = new Promise((resolve) => { socket.addEventListener("status", (event) => { if (event.detail.link === "waiting") resolve(true); }); });
  socket.open();
  FakeSocket.opened[0].dispatchEvent(Object.assign(new Event("message"), { data: buffer(Buffer.from("no deflate at all")) }));
  assert.ok(await waits);
});

test("after the end, and for an unknown run, the socket stays closed", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [message, code] of [[{ type: "end", status: "finished", last_seq: 2 }, 1000], [{ type: "hello", status: "queued" }, 4404]]) {
    FakeSocket.opened = [];
    const socket = new RunSocket("/ws/runs/x/", () => 0, { WebSocket: FakeSocket, origin: "ws://here" });
    socket.open();
    FakeSocket.opened[0].hear(message);
    FakeSocket.opened[0].close(code);
    t.mock.timers.tick(60000);
    assert.equal(FakeSocket.opened.length, 1);
  }
});

test("a track has at most a few hundred bands, which cover all of it without a gap", () => {
  const steps = trace(20_000);
  const bands = bandsShown(steps.bands, steps.length);
  assert.ok(bands.length <= 480, String(bands.length));
  assert.equal(bands[0].first, 0);
  assert.equal(bands[bands.length - 1].last, steps.length - 1);
  bands.slice(1).forEach((band, index) => assert.equal(band.first, bands[index].last + 1));
  assert.equal(bandsShown(trace(9).bands, 9).length, 9);
});

test("a socket that was opened before the modules were there is taken over with what it has heard", () => {
  const early = { path: "/ws/runs/r1/", socket: {}, heard: [{ data: '{"type":"hello","status":"running"}' }, { data: '{"type":"events","events":[{"seq":1}]}' }], closed: null };
  const opened = [];
  let cursor = 0;
  class Never { constructor(address) { opened.push(address); } addEventListener() {} }
  const socket = new RunSocket("/ws/runs/r1/", () => cursor, { WebSocket: Never, origin: "ws://x", early });
  const seen = [];
  socket.addEventListener("events", (event) => { seen.push(...event.detail.map((each) => each.seq)); cursor = seen.length; });
  socket.open();
  early.socket.onmessage({ data: '{"type":"events","events":[{"seq":2}]}' });
  assert.deepEqual(seen, [1, 2]);
  assert.equal(socket.link, "live");
  assert.deepEqual(opened, []);
  socket.open();
  assert.deepEqual(opened, ["ws://x/ws/runs/r1/?after=2&frames=deflate"]);
});
