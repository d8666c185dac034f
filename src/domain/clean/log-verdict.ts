/** Decides whether the log of a run may be deleted, and says why. */

export type LogVerdict = "may_go" | "kept" | "working";

/** `kept` goes only if a person names it. */
export function logVerdict(run: { readonly ended: boolean; readonly attemptState: string }): {
  readonly verdict: LogVerdict;
  readonly reason: string;
} {
  if (!run.ended) return { verdict: "working", reason: "Its run goes on." };
  return run.attemptState === "open"
    ? { verdict: "kept", reason: "Its attempt is open: you may still want to read it." }
    : { verdict: "may_go", reason: "Its attempt is put away. The patch, the words and the cost stay." };
}
