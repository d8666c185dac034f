/** Describes one breach of a rule of the publish gate, and how heavy it weighs by the configuration. */

export type GateLevel = "reject" | "report";

export interface GateFinding {
  /** Stable; `docs/configuration.md` lists them all. */
  readonly rule: string;
  readonly level: GateLevel;
  readonly path: string;
  /** From 1; absent where the whole file, or its name, is what was found. */
  readonly line?: number;
  /** Never holds what was found, only where and of which kind. */
  readonly message: string;
  readonly remedy: string;
  /** What was staged at the path, as git names it: another content is another finding. */
  readonly blob?: string;
  /** True where no person can allow it. */
  readonly final?: true;
  /** Who allowed it, and why: without that it would have rejected. */
  readonly allowed?: { readonly by: string; readonly reason: string };
}

/** A level for a rule id, from `gate.rules`. */
export type GateLevels = Readonly<Record<string, GateLevel | "off">>;

/** What is left out cannot be published, whatever its level. */
const ALWAYS_REPORTED: ReadonlySet<string> = new Set(["left_out", "left_by_check"]);

/** The finding with the level that the configuration gives its rule; none where that is `off`. */
export function withLevel(finding: GateFinding, levels: GateLevels): GateFinding[] {
  const level = levels[finding.rule] ?? finding.level;
  if (level === "off") return [];
  const told = ALWAYS_REPORTED.has(finding.rule) ? "report" : level;
  return [told === finding.level ? finding : { ...finding, level: told }];
}
