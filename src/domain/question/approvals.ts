/** Decides whether a person is asked what rules do not decide, such as a command that reaches the network. */

export type Approvals = "ask" | "never";

/** A sandbox holds without asking. The guard cannot hold everything back, so a person decides there. */
export function approvalsOf(configured: Approvals | null, isolation: "sandbox" | "guard"): Approvals {
  return configured ?? (isolation === "sandbox" ? "never" : "ask");
}

/**
 * Whether the agent gets the tool `ask_person`. A person who sets `never` does not want to be asked. Without that
 * setting the sandbox asks for no permission, but the agent may ask about its work. A reviewer asks in its comments.
 */
export function mayAskPerson(agent: {
  readonly configured: Approvals | null;
  readonly reviews: boolean;
}): boolean {
  return agent.configured !== "never" && !agent.reviews;
}
