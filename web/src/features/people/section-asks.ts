/** Says what a section of the settings asks of the server. Who may not ask that has no such section. */
import type { Act } from "../../data/may.ts";

/** Everybody has the others. */
export const SECTION_ASKS: Readonly<Partial<Record<string, Act>>> = {
  devices: "link",
  people: "people",
  acts: "teamActs",
  browsers: "browsers",
  tokens: "accessTokens",
};
