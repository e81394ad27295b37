/**
 * The text box: CodeMirror with YAML, problems at their lines, help and completion. It holds the text and its history.
 * The one rule: every change of the draft, typed or clicked, is a change of this text; so undo and redo are one.
 * @module
 */
import {
  Compartment, Decoration, EditorState, EditorView, HighlightStyle, Prec, StateEffect, StateField, acceptCompletion, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap,
  completionKeymap, defaultKeymap, drawSelection, foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, hoverTooltip,
  indentLess, indentMore, indentUnit, isolateHistory, keymap, lineNumbers, lintGutter, lintKeymap, placeholder, redo, redoDepth, search, searchKeymap, setDiagnostics, syntaxHighlighting, tags, undo, undoDepth, yaml,
} from "../../vendor/codemirror/codemirror.js";
import { lightYaml } from "./light_yaml.js";
import { difference } from "./manifests.js";

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--link)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.lineComment, tags.comment], color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.meta, tags.labelName, tags.typeName], color: "var(--code-meta)", fontWeight: "600" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--quiet)" },
]);
const LOOKS = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--t1)", backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "10px 0 40px", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--quiet)", border: "0" },
  ".cm-activeLine": { backgroundColor: "var(--code-line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--code-line)", color: "var(--ink)" },
  ".cm-here": { backgroundColor: "var(--preemptor-wash)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--code-selection) !important" },
  ".cm-selectionMatch": { backgroundColor: "var(--code-match)" },
  ".cm-placeholder": { color: "var(--quiet)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--soft)", border: "0", color: "var(--quiet)", padding: "0 6px" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)", fontFamily: "var(--sans)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 28px 8px 10px" },
  ".cm-textfield": { backgroundColor: "var(--ground)", border: "1px solid var(--neutral)", borderRadius: "6px", padding: "4px 8px", fontSize: "var(--t1)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--paper)", border: "1px solid var(--line)", borderRadius: "6px", padding: "4px 10px", fontSize: "var(--t1)" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", boxShadow: "0 6px 24px rgb(0 0 0 / 18%)", fontFamily: "var(--sans)", fontSize: "var(--t1)", maxWidth: "420px", overflow: "hidden" },
  ".cm-tooltip .cm-help": { padding: "8px 12px", lineHeight: "1.5" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "var(--t1)", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--button)", color: "#ffffff" },
  ".cm-completionInfo": { padding: "8px 12px", lineHeight: "1.5" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "5px solid var(--victim)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--nominated)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--preemptor)" },
  ".cm-gutter-lint": { width: "16px" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--victim)", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline dotted var(--nominated)", textUnderlineOffset: "3px" },
});

const showHere = StateEffect.define();
const here = StateField.define({
  create: () => Decoration.none,
  update(lines, transaction) {
    let found = lines.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(showHere)) found = Decoration.set(effect.value.map((/** @type {number} */ at) => Decoration.line({ class: "cm-here" }).range(at)));
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What may be pasted or filled in one go: taken as it is, without indentation of our own. */
const AS_GIVEN = Prec.highest(EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || !event.data?.includes("\n")) return false;
    event.preventDefault();
    const { from, to } = selected(view);
    const all = to > from && from === 0 && to === view.state.doc.length;
    view.dispatch({ changes: { from, to, insert: event.data }, selection: { anchor: all ? 0 : from + event.data.length }, userEvent: "input.paste" });
    return true;
  },
}));

/** What is selected on the page now; the text box hears of it a moment later. @param {EditorView} view @returns {{from: number, to: number}} */
function selected(view) {
  const found = getSelection();
  const { main } = view.state.selection;
  if (!found?.anchorNode || !found.focusNode || !view.contentDOM.contains(found.anchorNode) || !view.contentDOM.contains(found.focusNode)) return main;
  const ends = [view.posAtDOM(found.anchorNode, found.anchorOffset), view.posAtDOM(found.focusNode, found.focusOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

const LARGE = 400_000; // letters
const LONG_LINE = 20_000; // letters

export class Code extends EventTarget {
  /** @type {any} the document that the text below is of */ #doc = null;
  #text = "";
  #language = new Compartment();
  #isLight = false;

  /** @param {HTMLElement} parent @param {{text: string, label: string, hint: string, placeholder: string, words: Object<string, string>, help: any, complete: any}} options */
  constructor(parent, options) {
    super();
    this.options = options;
    this.view = new EditorView({ parent, state: this.#stateOf(options.text) });
  }

  /** @param {string} text */
  #stateOf(text) {
    this.#isLight = text.length > LARGE;
    return EditorState.create({ doc: text, extensions: [this.#base(this.options), this.#pastes(), this.#listener()] });
  }

  /** A text that grows large is coloured in the light way from then on. */
  #lighten() {
    if (this.#isLight || this.view.state.doc.length < LARGE) return;
    this.#isLight = true;
    queueMicrotask(() => this.view.dispatch({ effects: this.#language.reconfigure(lightYaml) }));
  }

  /** @param {any} options */
  #base(options) {
    return [
      AS_GIVEN, lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history({ minDepth: 500 }), foldGutter(), drawSelection(), here,
      EditorState.allowMultipleSelections.of(true), EditorState.tabSize.of(2), indentUnit.of("  "), EditorState.phrases.of(options.words),
      bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), search({ top: true }), lintGutter(), this.#language.of(this.#isLight ? lightYaml : yaml()), syntaxHighlighting(COLOURS), LOOKS,
      autocompletion({ override: [options.complete], icons: false }), hoverTooltip(options.help), placeholder(options.placeholder),
      EditorView.contentAttributes.of({ "aria-label": options.label, "aria-multiline": "true", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      keymap.of([
        { key: "Tab", run: acceptCompletion }, { key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess },
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
      ]),
    ];
  }

  /** Lines that no text box can show: they are offered for import instead. */
  #pastes() {
    return EditorView.domEventHandlers({
      paste: (event) => {
        const text = event.clipboardData?.getData("text/plain") || "";
        if (text.length < LONG_LINE || text.split("\n").every((line) => line.length < LONG_LINE)) return false;
        event.preventDefault();
        this.dispatchEvent(new CustomEvent("longPaste", { detail: text }));
        return true;
      },
    });
  }

  #listener() {
    return EditorView.updateListener.of((update) => {
      if (update.docChanged) this.#lighten();
      if (update.docChanged) this.dispatchEvent(new CustomEvent("text", { detail: { typed: update.transactions.some((each) => each.isUserEvent("input") || each.isUserEvent("delete")) } }));
      if (update.selectionSet && !update.docChanged) this.dispatchEvent(new Event("place"));
    });
  }

  get text() {
    const { doc } = this.view.state;
    if (this.#doc !== doc) { this.#doc = doc; this.#text = doc.toString(); }
    return this.#text;
  }

  get canUndo() { return undoDepth(this.view.state) > 0; }
  get canRedo() { return redoDepth(this.view.state) > 0; }
  get line() { return this.view.state.doc.lineAt(this.view.state.selection.main.head).number; }
  get hasFocus() { return this.view.hasFocus; }

  /** The text becomes another: the smallest change, one step of the history. @param {string} text @param {boolean} [joins] the last step */
  replace(text, joins = false) {
    const changes = difference(this.text, text);
    if (!changes) return;
    this.view.dispatch({ changes, userEvent: "edit", annotations: joins ? [] : [isolateHistory.of("full")] });
  }

  /** The text of a draft that is opened: nothing to undo before it. @param {string} text */
  open(text) {
    this.view.setState(this.#stateOf(text));
    this.dispatchEvent(new CustomEvent("text", { detail: { typed: false } }));
  }

  undo() { undo(this.view); }
  redo() { redo(this.view); }
  focus() { this.view.focus(); }

  /** @param {{line: number|null, message: string, severity: "error"|"warning"}[]} found */
  mark(found) {
    const { doc } = this.view.state;
    const marks = found.map(({ line, message, severity }) => {
      const at = doc.line(Math.max(1, Math.min(line || 1, doc.lines)));
      const start = at.from + (/^\s*(?:- )?/.exec(at.text)?.[0].length || 0);
      return { from: Math.min(start, at.to), to: at.to, severity, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks.sort((a, b) => a.from - b.from)));
  }

  /** Shows where something stands. @param {number} from @param {number} to @param {boolean} scroll */
  show(from, to, scroll) {
    const { doc } = this.view.state;
    const last = Math.min(to, doc.length);
    const first = doc.lineAt(Math.min(from, doc.length)).number;
    const end = Math.min(doc.lineAt(last).number - (last > from && doc.lineAt(last).from === last ? 1 : 0), first + 400);
    const lines = Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => doc.line(first + index).from);
    this.view.dispatch({ effects: [showHere.of(lines), ...(scroll ? [EditorView.scrollIntoView(Math.min(from, doc.length), { y: "start", yMargin: 40 })] : [])] });
  }

  hide() { this.view.dispatch({ effects: showHere.of([]) }); }

  /** @param {number} line */
  goTo(line) {
    const at = this.view.state.doc.line(Math.max(1, Math.min(line, this.view.state.doc.lines)));
    this.view.dispatch({ selection: { anchor: at.from, head: at.to }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    this.view.focus();
  }
}
