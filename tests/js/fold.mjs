/** Reads logs (JSON lines on standard input) and writes the state after each event, one JSON text a line: for the test of the twins. */
import { createInterface } from "node:readline";
import { apply, emptyState, stateDocument } from "../../static/js/trace/reducer.js";

let state = emptyState();
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  if (event.seq === 1) state = emptyState();
  apply(state, event);
  process.stdout.write(`${JSON.stringify(stateDocument(state))}\n`);
}
