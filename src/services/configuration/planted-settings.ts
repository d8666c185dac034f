/** Shows what agents may have planted in the git settings of a repository, and accepts what a person says is right. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isSecret } from "../../domain/repository/watched-settings.ts";
import { settingsPlace } from "../../git/list-settings.ts";
import { redactUrl } from "../../git/redact-url.ts";
import type { ServiceContext } from "../context.ts";
import type { Script } from "../services.ts";

interface Of {
  readonly commonDir: string;
}

/** As scripts that nobody trusts: most name a program. What cannot be listed is left out; git says why when it is used. */
export async function plantedSettings(
  { git }: Pick<ServiceContext, "git">,
  of: Of,
): Promise<readonly Script[]> {
  const shown = new Map<string, Script>();
  for (const gitDir of await gitDirsOf(of)) {
    const planted = await git.settings?.planted(settingsPlace({ gitDir }));
    for (const { key, value, hash, change } of planted?.unwrapOr([]) ?? []) {
      const said = isSecret(key) ? "…" : redactUrl(value);
      const text = change === "vanished" ? `git setting ${key}: taken away` : `git setting ${key}: ${said}`;
      shown.set(hash, { hash, text, trusted: false });
    }
  }
  return [...shown.values()];
}

export async function acceptSettings(
  { git }: ServiceContext,
  of: Of & { readonly hashes: readonly string[] },
): Promise<void> {
  for (const gitDir of await gitDirsOf(of)) await git.settings?.accept(settingsPlace({ gitDir }), of.hashes);
}

/** The repository's own, and those of its linked worktrees: each may have settings beside the shared ones. */
async function gitDirsOf({ commonDir }: Of): Promise<readonly string[]> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  return [commonDir, ...names.map((name) => join(folder, name))];
}
