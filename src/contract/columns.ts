/** Measures, cuts and wraps text by the columns of a terminal. Apart from `text.ts`, because it loads a package. */
export { columnsOf, cutToColumns, wrapToColumns } from "../domain/text/columns.ts";
