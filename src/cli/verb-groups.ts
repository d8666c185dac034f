/** Names the purposes by which the help sorts commands. */

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
