/** Turns what a forge answered into a refusal with a remedy, and into what is stored of the trouble. */
import type { Trouble } from "../../domain/pull-request/tracked.ts";
import type { ForgeError } from "../../forge/forge.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";

/** `again` is the command to type once the cause is gone; `tazuna pr ATTEMPT` if it is absent. */
export function forgeRefusal(error: ForgeError, attemptId: string, again?: string): Refusal {
  const details = { attempt: attemptId, status: error.status, resume_at: error.resumeAt };
  return REFUSALS[error.code](error.message, details, `\`${again ?? `tazuna pr ${shortId(attemptId)}`}\``);
}

type Refuse = (message: string, details: Refusal["details"], again: string) => Refusal;

const REFUSALS: Readonly<Record<ForgeError["code"], Refuse>> = {
  forge_auth: (message, details, again) =>
    refuse("failed", "forge_auth", message, {
      remedy: `Log in with \`gh auth login\` (or \`glab auth login\`), or set TAZUNA_GITHUB_TOKEN (TAZUNA_GITLAB_TOKEN, or TAZUNA_GITEA_TOKEN for the host of forge.api_url) in this shell; then ${again}.`,
      details,
    }),
  forge_forbidden: (message, details, again) =>
    refuse("failed", "forge_forbidden", message, {
      remedy: `Give the login or its token the right to write pull requests there; then ${again}.`,
      details,
    }),
  forge_not_found: (message, details, again) =>
    refuse("failed", "forge_not_found", message, {
      remedy: `Look whether the repository was renamed, or whether the login may not see it (\`git remote -v\` shows the address); then ${again}.`,
      details,
    }),
  rate_limited: (message, details) =>
    refuse("failed", "rate_limited", message, {
      remedy: "There is nothing to do: Tazuna goes on by itself once the forge allows it.",
      details,
    }),
  forge_refused: (message, details, again) =>
    refuse("failed", "forge_refused", message, {
      remedy: `Change what the forge names; then ${again}.`,
      details,
    }),
  forge_conflict: (message, details, again) =>
    refuse("conflict", "forge_conflict", message, {
      remedy: `Look at what changed there; then ${again}.`,
      details,
    }),
  forge_unavailable: (message, details, again) =>
    refuse("failed", "forge_unavailable", message, {
      remedy: `Tazuna tries again by itself; ${again} tries at once.`,
      details,
    }),
};

/** How often in a row a forge may fail before what was wanted there is given up. */
export const MAX_FAILURES = 12;

export function troubleOf(error: ForgeError, at: string, before: Trouble | null): Trouble {
  const { code, message, resumeAt } = error;
  // A limit is no failure: it says when it ends.
  const times = code === "rate_limited" ? (before?.times ?? 0) : (before?.times ?? 0) + 1;
  return { code, message, at, resumeAt, times };
}
