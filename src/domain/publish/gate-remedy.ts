/** Explains how to go on after the gate has rejected a run: what to ask the agent, what to allow. */

import { someOf } from "../text/listed.ts";
import { shellWord } from "../text/shell-word.ts";
import { allowable } from "./allowance.ts";
import type { GateFinding } from "./gate-finding.ts";

type Found = Pick<GateFinding, "rule" | "path"> & Partial<GateFinding>;

/** With `{attempt}` and `{again}` in place of ids and of the command that goes on. */
export function gateRemedy(details: Readonly<Record<string, unknown>>, worktree: string | null): string {
  const findings = Array.isArray(details.findings) ? details.findings.filter(isFound) : [];
  const rules = new Set(findings.map(({ rule }) => rule));
  const never = findings.filter((finding) => !canBeAllowed(finding));
  if (rules.has("changed_meanwhile")) return "Once nothing else writes git there, {again}. {kept}";
  if (never.length > 0 && never.every(({ rule }) => rule === "conflict_marker"))
    return "`tazuna continue {attempt} --resolve` lets the agent resolve what is left. {kept}";
  if (never.length > 0) return takeOut(never, worktree);
  const allow = [...rules].map((rule) => `--allow ${rule}`).join(" ");
  return (
    `${asked(findings)} hands it to the agent. If it may be published as it is: ` +
    `\`tazuna publish {attempt} ${allow} --reason "..."\`. {kept}`
  );
}

function takeOut(never: readonly Found[], worktree: string | null): string {
  const where = worktree === null ? "" : ` in ${worktree}`;
  const what = never.length === 1 ? "This finding" : "Some of these findings";
  return `${what} cannot be allowed: ${asked(never)} hands it to the agent. Or mend it yourself${where}, then \`tazuna continue {attempt}\` publishes the rest.`;
}

const MAX_PLACES = 3;

/** The follow-up that asks the agent to mend these. */
function asked(findings: readonly Found[]): string {
  const places = [...new Set(findings.map(placeOf))];
  const wanted = `Mend what must not be published: ${someOf(places, MAX_PLACES)}`;
  return `\`tazuna continue {attempt} ${shellWord(wanted)}\``;
}

/** A name that cannot be copied from a line of text is left out. */
function placeOf({ rule, path, line }: Found): string {
  const name = /[`\p{Cc}]/u.test(path) ? "a file" : path;
  return `${name}${line === undefined ? "" : `:${line}`} (${rule})`;
}

function canBeAllowed(found: Found): boolean {
  return allowable({ level: "reject", message: "", remedy: "", ...found }) !== null;
}

function isFound(value: unknown): value is Found {
  return (
    typeof value === "object" &&
    value !== null &&
    "rule" in value &&
    typeof value.rule === "string" &&
    "path" in value &&
    typeof value.path === "string"
  );
}
