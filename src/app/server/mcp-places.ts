/** Finds the folder that a client of `/mcp` names: a known repository, or an attempt's worktree (ADR 0015). */
import { basename, isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Problem } from "../../api/http/problem-response.ts";
import { agentEnvironment, heldBack } from "../../domain/agent/environment.ts";
import { worktreeName } from "../../domain/repository/naming.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import type { McpPlace } from "../../mcp/http/http-sessions.ts";
import type { AttemptDetail, ConfigValue } from "../../services/core/answer-shapes.ts";
import type { DataPaths } from "../../services/core/data-paths.ts";
import type { Services } from "../../services/core/services.ts";
import { attemptVariables } from "../../services/run-core/attempt-variables.ts";
import type { GitTier, ToolContext } from "../../tools/core/context.ts";
import type { Settings } from "../process/settings.ts";
import { makeMcpServer } from "./make-mcp-server.ts";
import { ALL_ALLOWED, realFolder, toolContext } from "./tool-rules.ts";

export interface McpPlacesOptions {
  readonly settings: Settings;
  readonly services: Services;
  readonly paths: DataPaths;
}

/** The place that an address means: `/mcp?workspace=PATH`, with `read_only=true` if nothing may be changed. */
export function createMcpPlaces(options: McpPlacesOptions): (url: URL) => Promise<Result<McpPlace, Problem>> {
  const { version } = options.settings;
  return async (url) => {
    const asked = readQuery(url.searchParams);
    if (asked.isErr()) return err(asked.error);
    const { workspace, readOnly } = asked.value;
    const folder = realFolder(workspace);
    const rules = folder === null ? err(unknownWorkspace(workspace)) : await rulesOf(options, folder);
    if (rules.isErr()) return err(rules.error);
    const { root, git, env } = rules.value;
    const context = (): ToolContext =>
      toolContext(root, { policy: ALL_ALLOWED, readOnly, git, env, mailbox: null });
    return ok({
      scope: JSON.stringify([root, readOnly]),
      makeServer: () => makeMcpServer({ context: context(), openRoot: null, version }),
    });
  };
}

interface PlaceRules {
  readonly root: string;
  readonly git: GitTier;
  readonly env: Readonly<Record<string, string>>;
}

async function rulesOf(options: McpPlacesOptions, folder: string): Promise<Result<PlaceRules, Problem>> {
  const { services, settings } = options;
  const repositories = await services.repositories();
  if (repositories.isErr()) return err(repositories.error);
  if (repositories.value.some(({ path, bare }) => path === folder && !bare))
    return ok({ root: folder, git: "guarded", env: settings.env });
  const attempt = await attemptAt(services, folder);
  return attempt === null ? err(unknownWorkspace(folder)) : rulesOfAttempt(options, attempt);
}

/** A worktree is named after the first run of its attempt, so no list has to be searched. */
async function attemptAt(services: Services, folder: string): Promise<FoundAttempt | null> {
  const [, run = ""] = basename(folder).split(worktreeName(""), 2);
  const found = run === "" ? null : await services.find(run);
  if (found === null || found.isErr() || found.value.type !== "run") return null;
  const task = await services.task(found.value.taskId);
  if (task.isErr()) return null;
  const detail = task.value.attempts.find(({ attempt }) => realFolder(attempt.worktree) === folder);
  return detail === undefined ? null : { ...detail, repository: task.value.repository.path };
}

interface FoundAttempt extends AttemptDetail {
  /** Absolute path of its repository. */
  readonly repository: string;
}

/** As the attempt's agent has it: git is read only, and there are no credentials of the user. */
async function rulesOfAttempt(
  { services, settings, paths }: McpPlacesOptions,
  { attempt, runs, repository }: FoundAttempt,
): Promise<Result<PlaceRules, Problem>> {
  const config = await services.config({ repository, settings: {} });
  if (config.isErr()) return err(config.error);
  const own = await services.config({ repository: null, settings: {} });
  if (own.isErr()) return err(own.error);
  const run = runs.at(-1);
  const { env } = agentEnvironment({
    user: settings.env,
    deny: heldBack({ values: holdingBack(config.value), without: holdingBack(own.value) }),
    cwd: attempt.worktree,
    added: run === undefined ? {} : attemptVariables({ paths }, { run, attempt }),
  });
  return ok({ root: attempt.worktree, git: "read-only", env });
}

/** The settings that say what an agent does not get. */
function holdingBack(config: readonly ConfigValue[]) {
  const settingAt = (name: string) => config.find(({ key }) => key === name)?.value;
  const secretOf = (group: string) => {
    const name = settingAt(`${group}.webhook_secret_env`);
    return { webhook_secret_env: typeof name === "string" ? name : null };
  };
  const deny = settingAt("env.deny");
  return {
    env: { deny: Array.isArray(deny) ? deny.map(String) : [] },
    forge: secretOf("forge"),
    notify: secretOf("notify"),
  };
}

interface Asked {
  readonly workspace: string;
  readonly readOnly: boolean;
}

const KNOWN = ["workspace", "read_only"];

function readQuery(query: URLSearchParams): Result<Asked, Problem> {
  const unknown = [...query.keys()].find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) return err(badQuery(`There is no ${JSON.stringify(unknown)} in this address.`));
  const workspace = query.get("workspace");
  if (!workspace) return err(badQuery("The address does not say which folder the tools work in."));
  if (!isAbsolute(workspace)) return err(badQuery("workspace is an absolute path."));
  const readOnly = query.get("read_only") ?? "false";
  if (readOnly !== "true" && readOnly !== "false") return err(badQuery("read_only is true or false."));
  return ok({ workspace, readOnly: readOnly === "true" });
}

function badQuery(message: string): Problem {
  const remedy = "Name the folder behind `/mcp?workspace=`; add `&read_only=true` if nothing may be changed.";
  return { kind: "bad_request", code: "bad_request", message, remedy };
}

function unknownWorkspace(path: string): Problem {
  return {
    kind: "not_found",
    code: "no_such_workspace",
    message: `${path} is neither a repository that Tazuna knows nor the worktree of an attempt.`,
    remedy: `If it is a repository, \`tazuna repo add ${shellWord(path)}\` makes it known; \`tazuna list\` shows the attempts, \`tazuna path\` the worktree of one.`,
  };
}
