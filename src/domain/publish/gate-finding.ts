/** Describes one breach of a rule of the publish gate, and its level by the configuration. */

type GateLevel = "reject" | "report";

/** Every rule id with its default level. `docs/configuration.md` says what each rule finds. */
export const LEVEL_BY_DEFAULT = {
  credential: "reject",
  conflict_marker: "reject",
  symlink_outside: "reject",
  disguised_path: "reject",
  denied_path: "reject",
  file_too_large: "reject",
  submodule_address: "reject",
  submodule_command: "reject",
  lfs_address: "reject",
  changed_meanwhile: "reject",
  nested_repository: "reject",
  dirty_submodule: "reject",
  binary_file: "report",
  not_scanned: "report",
  agent_configuration: "report",
  workflow_file: "report",
  control_character: "report",
  left_out: "report",
  left_by_check: "report",
  left_by_setup: "report",
  changed_after_setup: "report",
} as const satisfies Readonly<Record<string, GateLevel>>;

export type GateRule = keyof typeof LEVEL_BY_DEFAULT;
export const GATE_RULES = Object.keys(LEVEL_BY_DEFAULT) as readonly GateRule[];

export interface GateFinding {
  /** Stable. */
  readonly rule: GateRule;
  readonly level: GateLevel;
  readonly path: string;
  /** From 1; absent if the finding is about the whole file, or its name. */
  readonly line?: number;
  /** Never holds the found secret itself, only its place and kind. */
  readonly message: string;
  readonly remedy: string;
  /** The staged content of the path, as git names it: other content is another finding. */
  readonly blob?: string;
  /** True if no person can allow it. */
  readonly final?: true;
  /** The person who allowed it, and why: without that it would reject. */
  readonly allowed?: { readonly by: string; readonly reason: string };
}

/** A finding at the level that its rule has by default. */
export function gateFinding(
  rule: GateRule,
  path: string,
  words: Pick<GateFinding, "message" | "remedy"> & Partial<GateFinding>,
): GateFinding {
  return { rule, level: LEVEL_BY_DEFAULT[rule], path, ...words };
}

/** A level for a rule id, from `gate.rules`. */
export type GateLevels = Readonly<Record<string, GateLevel | "off">>;

/** A path that is left out cannot be published, whatever its level. */
const ALWAYS_REPORTED: ReadonlySet<string> = new Set(["left_out", "left_by_check", "left_by_setup"]);

/** The finding with the level that the configuration gives its rule; none if that is `off`. */
export function withLevel(finding: GateFinding, levels: GateLevels): GateFinding[] {
  const level = levels[finding.rule] ?? finding.level;
  if (level === "off") return [];
  const effective = ALWAYS_REPORTED.has(finding.rule) ? "report" : level;
  return [effective === finding.level ? finding : { ...finding, level: effective }];
}
