/** Decides whether a person is asked what rules do not decide, such as a command that reaches the network. */

export type Approvals = "ask" | "never";

/** A sandbox holds without asking. The guard cannot hold everything back, so a person decides there. */
export function approvalsOf(configured: Approvals | null, isolation: "sandbox" | "guard"): Approvals {
  return configured ?? (isolation === "sandbox" ? "never" : "ask");
}
