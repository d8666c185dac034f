/** Offers the text in which the engine shows a setting. */
export { shownValue } from "../../domain/configuration/shown-value.ts";
