/** The definitions at the spelling of the seeds (seed 000 §4.4, §8 and seed 001 §4.4, §8). */
export { TOOL_DEFINITIONS } from "../registry/definitions.ts";
