/** Offers to the doors what measures, cuts and wraps text by the columns of a terminal. It loads a package, so that it is apart from `text.ts`. */
export { columnsOf, cutToColumns, wrapToColumns } from "../domain/text/columns.ts";
