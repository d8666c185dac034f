/** Writes one value into the data folder's `config.json`, or into a repository's own, without an engine. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { err, type Result } from "neverthrow";
import { failed } from "../../cli/shared/cli-error.ts";
import type { CliError, ConfigSet, SetConfig } from "../../cli/shared/cli-options.ts";
import { createGit } from "../../git/runner/run-git.ts";
import { dataPaths } from "../../services/core/data-paths.ts";
import { setConfiguration } from "../../services/settings/set-configuration.ts";
import { makeDataFolder } from "./data-folder.ts";
import type { Settings } from "./settings.ts";

const GIT_MS = 30_000;

export async function setConfig(
  { env, home }: Settings,
  change: SetConfig,
): Promise<Result<ConfigSet, CliError>> {
  const unusable = change.repository === null ? await makeDataFolder(home) : null;
  if (unusable !== null) return err(failed(unusable));
  const scratch = await mkdtemp(join(tmpdir(), "tazuna-config-"));
  try {
    const git = createGit({ binary: "git", env, timeoutMs: GIT_MS, scratch });
    const context = { git, paths: dataPaths(home) };
    const set = await setConfiguration(context, { ...change, local: false, from: "person" });
    return set.mapErr(({ code, message, remedy, details }) => ({ exit: 2, code, message, remedy, details }));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
