/** Names the purposes by which the help sorts commands, and says what the help knows of each command. */
import type { Command } from "@stricli/core";
import type { CliContext } from "./shared/command.ts";

/** The purposes, in the order of the help. */
export const VERB_GROUPS = {
  work: "Start agents and steer them",
  look: "Look at what they do",
  decide: "Compare, and choose",
  ship: "Ship",
  tidy: "Tidy up, and go back",
  setup: "Set up",
  run: "Serve",
} as const;

export interface Verb {
  readonly group: keyof typeof VERB_GROUPS;
  /** The words after the name, as the help shows them. */
  readonly usage: string;
  /** At most 52 characters: a line of the help has 80. */
  readonly brief: string;
  load(): Promise<Command<CliContext>>;
}
