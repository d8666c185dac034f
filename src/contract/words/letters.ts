/** Names the attempts of a task by letters, the same on screens and in the terminal. */
export { lettersOf } from "../../domain/decision/comparison.ts";
