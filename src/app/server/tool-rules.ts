/** Reads which folder the toolkit works on from this command, and what it may do there. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { CliError, ToolRuleOptions } from "../../cli/shared/cli-options.ts";
import { askByMailbox } from "../../effect/mailbox/ask-by-mailbox.ts";
import { MAILBOX_VARIABLE } from "../../effect/mailbox/letters.ts";
import {
  contextOn,
  type GitTier,
  type ToolContext,
  type ToolContextOptions,
  type ToolPolicy,
} from "../../tools/core/context.ts";
import type { Settings } from "../process/settings.ts";
import { readPolicyFile } from "./policy-file.ts";

export interface ToolRules {
  /** A folder was named, or an attempt is bound to one: no root of a client may replace it. */
  readonly fixed: boolean;
  /** Absolute, without symbolic links. */
  readonly workspace: string;
  /** A context of its own on a folder that exists; two contexts share nothing. */
  contextOn(folder: string): ToolContext;
}

/**
 * The flag, then the environment, then the folder of the call. Within an attempt it is always the attempt's worktree.
 */
export async function readToolRules(
  settings: Pick<Settings, "env">,
  { workspace: named, readOnly, policyFile }: ToolRuleOptions,
): Promise<Result<ToolRules, CliError>> {
  const { env } = settings;
  const bound = env.TAZUNA_WORKSPACE || null;
  const inAttempt = Boolean(env.TAZUNA_ATTEMPT);
  if (inAttempt && bound === null) return err(badUsage("no_worktree", ...NO_WORKTREE));
  const folder = realFolder(resolve(named ?? bound ?? process.cwd()));
  if (folder === null) return err(badUsage("no_such_folder", ...noFolder(named ?? bound ?? process.cwd())));
  if (inAttempt && !isInside(realFolder(resolve(bound ?? "")), folder))
    return err(badUsage("outside_attempt", ...outsideAttempt(folder, bound ?? "")));
  const policy = policyFile === null ? ok(ALL_ALLOWED) : await readPolicyFile(policyFile);
  if (policy.isErr()) return err(badUsage("bad_policy", policy.error, POLICY_REMEDY));
  const rules = {
    policy: policy.value,
    readOnly,
    git: inAttempt ? ("read-only" as const) : ("guarded" as const),
    env,
    mailbox: inAttempt ? env[MAILBOX_VARIABLE] || null : null,
  };
  return ok({
    fixed: named !== null || bound !== null,
    workspace: folder,
    contextOn: (path) => toolContext(path, rules),
  });
}

interface Rules {
  readonly policy: ToolPolicy;
  readonly readOnly: boolean;
  readonly git: GitTier;
  /** The environment that commands inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; where questions to a person are left. Null if there is none. */
  readonly mailbox: string | null;
}

/** Makes the context in which the tools work. */
export function toolContext(workspaceRoot: string, rules: Rules): ToolContext {
  const { policy, readOnly, git, env, mailbox } = rules;
  // Commands of the tools must not get the token of their callers.
  const { TAZUNA_MCP_TOKEN: _, ...inherited } = env;
  const host = { platform: process.platform, environment: () => inherited };
  const writeScope = readOnly ? "read-only" : "workspace-write";
  const askPerson: Partial<ToolContextOptions> =
    mailbox === null ? {} : { askPerson: (question, options) => askByMailbox(mailbox, question, options) };
  return contextOn(host, { workspaceRoot, writeScope, policy, git, ...askPerson });
}

export const ALL_ALLOWED: ToolPolicy = { defaultPolicy: "allow" };

/** The folder's real path, or null if there is none. */
export function realFolder(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

function isInside(outer: string | null, inner: string): boolean {
  if (outer === null) return false;
  const way = relative(outer, inner);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

type Words = readonly [message: string, remedy: string];

const NO_WORKTREE: Words = [
  "TAZUNA_ATTEMPT is set, but TAZUNA_WORKSPACE does not say where the attempt's worktree is.",
  "Unset TAZUNA_ATTEMPT to work outside of the attempt.",
];
const POLICY_REMEDY =
  'A policy is JSON such as `{ "defaultPolicy": "deny", "tools": { "read_file": "allow" } }`.';

function noFolder(path: string): Words {
  return [
    `There is no folder ${path}.`,
    "Name one that exists, or leave out `--workspace` to work in the folder that you are in.",
  ];
}

function outsideAttempt(folder: string, worktree: string): Words {
  return [
    `${folder} is outside of the attempt's worktree ${worktree}.`,
    "Leave out `--workspace`: within an attempt the tools work in its worktree.",
  ];
}

function badUsage(code: string, message: string, remedy: string): CliError {
  return { exit: 2, code, message, remedy, details: {} };
}
