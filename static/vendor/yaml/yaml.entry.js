export { Alias, Document, LineCounter, Pair, Scalar, YAMLMap, YAMLSeq, isAlias, isCollection, isMap, isPair, isScalar, isSeq, parse, parseAllDocuments, parseDocument, stringify, visit } from "yaml";
