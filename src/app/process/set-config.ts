/** Writes one value into the data folder's `config.json`, or into a repository's own. */
import { lstat, mkdir, mkdtemp, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { failed } from "../../cli/shared/cli-error.ts";
import type { CliError, ConfigSet, SetConfig } from "../../cli/shared/cli-options.ts";
import { setValue } from "../../domain/configuration/set-value.ts";
import { sentence } from "../../domain/doctor/finding.ts";
import { jsonLines } from "../../domain/text/json-lines.ts";
import { discoverRepository } from "../../git/repository/discover.ts";
import { createGit } from "../../git/runner/run-git.ts";
import { dataPaths } from "../../services/core/data-paths.ts";
import { configurationRefusal } from "../../services/core/refusal.ts";
import { discoverRefusal } from "../../services/repositories/register-repository.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { makeDataFolder } from "./data-folder.ts";
import type { Settings } from "./settings.ts";

const GIT_MS = 30_000;

export async function setConfig(
  settings: Settings,
  { key, value, repository }: SetConfig,
): Promise<Result<ConfigSet, CliError>> {
  return safeTry(async function* () {
    const place = repository === null ? homeFile(settings) : fileOf(settings, repository);
    const file = yield* await place;
    const text = yield* await textOf(file);
    const set = yield* setValue({ source: file, text, key, value }).mapErr((fault) =>
      fault.kind === "secret" ? SECRET : refused(fault.error),
    );
    const mode = (await stat(file).catch(() => null))?.mode ?? (repository === null ? 0o600 : 0o644);
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, set.text, { mode: mode & 0o777 });
    return ok({ file, key, value: set.value });
  });
}

/** If the user made the file a link, it stays a link: its target is written. */
async function homeFile({ home }: Settings): Promise<Result<string, CliError>> {
  const unusable = await makeDataFolder(home);
  if (unusable !== null) return err(failed(unusable));
  const { config } = dataPaths(home);
  return ok(await realpath(config).catch(() => config));
}

/**
 * The file at the top of the checkout, which is never an attempt's worktree. A link there would send the text
 * elsewhere.
 */
async function fileOf({ env, home }: Settings, folder: string): Promise<Result<string, CliError>> {
  const scratch = await mkdtemp(join(tmpdir(), "tazuna-config-"));
  try {
    const git = createGit({ binary: "git", env, timeoutMs: GIT_MS, scratch });
    const found = await discoverRepository(git, folder);
    if (found.isErr()) {
      const { code, message, remedy, details } = discoverRefusal(found.error, folder);
      return err({ exit: 2, code, message, remedy, details });
    }
    if (found.value.bare) return err(unusable(found.value.path, "is a bare repository, without files"));
    const worktrees = await realpath(dataPaths(home).worktrees).catch(() => null);
    if (dirname(found.value.path) === worktrees) return err(IN_ATTEMPT_WORKTREE);
    for (const path of [join(found.value.path, ".tazuna"), join(found.value.path, ".tazuna", "config.json")])
      if ((await lstat(path).catch(() => null))?.isSymbolicLink())
        return err(unusable(path, "is a symbolic link"));
    return ok(join(found.value.path, ".tazuna", "config.json"));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** An empty object if there is no file. A file that is not a JSON object is never overwritten. */
async function textOf(file: string): Promise<Result<string, CliError>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== "string")
    return text.code === "ENOENT" ? ok("{}\n") : err(unusable(file, `cannot be read (${text.code})`));
  if (text.trim() === "") return ok("{}\n");
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? ok(text) : err(unusable(file, "is no JSON object"));
  } catch {
    const { fault } = jsonLines(text);
    return err(
      unusable(fault === null ? file : `${file}:${fault}`, "is not valid JSON (no comments either)"),
    );
  }
}

function unusable(file: string, why: string): CliError {
  return {
    exit: 2,
    code: "bad_configuration",
    message: `${file} ${why}: nothing was written.`,
    remedy: `Mend ${file.replace(/:\d+$/, "")} by hand, then set it again.`,
    details: { file },
  };
}

const IN_ATTEMPT_WORKTREE: CliError = {
  exit: 2,
  code: "bad_configuration",
  message:
    "This is an attempt's worktree, where the file would become part of its work: nothing was written.",
  remedy: "Go to the checkout of the repository, then type it again.",
  details: {},
};

function refused(error: Parameters<typeof configurationRefusal>[0]): CliError {
  const { code, message, details } = configurationRefusal(error);
  return {
    exit: 2,
    code,
    message: `${sentence(message)} Nothing was written.`,
    remedy: "`tazuna config --schema` lists every key; lists and objects are given as JSON.",
    details,
  };
}

const SECRET: CliError = {
  exit: 2,
  code: "secret_in_configuration",
  message: "That looks like a credential: nothing was written.",
  remedy: "Export it in your shell: agents have the environment of the shell that asks for a run.",
  details: {},
};
