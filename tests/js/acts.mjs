/** Reads a log (JSON lines on standard input) and writes what each event is in the second act, or null, one JSON text a line. */
import { createInterface } from "node:readline";
import { secondAct } from "../../static/js/trace/second_act.js";
import { apply, emptyState } from "../../static/js/trace/reducer.js";

const store = { events: [], lastSeq: 0 };
const state = emptyState();
let cycle = null;
for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  store.events.push(event);
  store.lastSeq = event.seq;
  apply(state, event);
  const head = event.path.split("/")[0];
  if (event.kind === "cycle.started") cycle = { head, started: event.data };
  const act = secondAct({ event, state, cycle: cycle?.head === head ? cycle : null }, store);
  process.stdout.write(`${JSON.stringify(act)}\n`);
}
