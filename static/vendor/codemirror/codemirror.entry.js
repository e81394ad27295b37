export { Annotation, Compartment, EditorSelection, EditorState, Facet, Prec, RangeSetBuilder, StateEffect, StateField, Transaction } from "@codemirror/state";
export { Decoration, EditorView, ViewPlugin, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, placeholder, rectangularSelection } from "@codemirror/view";
export { HighlightStyle, bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { defaultKeymap, history, historyKeymap, indentLess, indentMore, invertedEffects, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
export { forceLinting, lintGutter, lintKeymap, openLintPanel, setDiagnostics } from "@codemirror/lint";
export { yaml } from "@codemirror/lang-yaml";
export { tags } from "@lezer/highlight";
