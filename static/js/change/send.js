/**
 * The list of changes goes to the API. The one rule: every answer becomes either a new run or problems in words.
 * @module
 */

/** @typedef {{run: {id: string, url: string}|null, problems: {path: string, message: string}[]}} Answer */

/** @param {string} run @param {Object<string, any>[]} operations @param {number} afterSeq @param {typeof fetch} [send] @returns {Promise<Answer>} */
export async function continueRun(run, operations, afterSeq, send = globalThis.fetch) {
  try {
    const response = await send(`/api/v1/runs/${run}/continue`, {
      method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify({ operations, after_seq: afterSeq }),
    });
    const answer = await response.json();
    if (response.ok) return { run: answer, problems: [] };
    return { run: null, problems: answer.problems?.length ? answer.problems : [{ path: "", message: answer.title || String(response.status) }] };
  } catch {
    return { run: null, problems: [{ path: "", message: "" }] };
  }
}
