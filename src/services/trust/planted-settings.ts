/** Shows settings that agents may have planted in a repository's git, and accepts those that a person confirms. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Script } from "../../domain/repository/trusted-script.ts";
import { isSecret } from "../../domain/repository/watched-settings.ts";
import { redactUrl } from "../../git/process/redact-url.ts";
import { settingsPlace } from "../../git/settings/list-settings.ts";
import type { Uses } from "../core/context-parts.ts";

interface SharedRepository {
  readonly commonDir: string;
}

/**
 * As scripts without trust: most name a program. Settings that cannot be listed are left out; git gives the reason when
 * it is used.
 */
export async function plantedSettings(
  { git }: Uses<"git">,
  repository: SharedRepository,
): Promise<readonly Script[]> {
  const shown = new Map<string, Script>();
  for (const gitDir of await gitDirsOf(repository)) {
    const planted = await git.settings?.planted(settingsPlace({ gitDir }));
    for (const { key, value, hash, change } of planted?.unwrapOr([]) ?? []) {
      const shownValue = isSecret(key) ? "…" : redactUrl(value);
      const text =
        change === "vanished" ? `git setting ${key}: taken away` : `git setting ${key}: ${shownValue}`;
      shown.set(hash, { hash, text, trusted: false });
    }
  }
  return [...shown.values()];
}

export async function acceptSettings(
  { git }: Uses<"git">,
  repository: SharedRepository & { readonly hashes: readonly string[] },
): Promise<void> {
  for (const gitDir of await gitDirsOf(repository))
    await git.settings?.accept(settingsPlace({ gitDir }), repository.hashes);
}

/** The repository's own, and those of its linked worktrees: each may have settings of its own. */
async function gitDirsOf({ commonDir }: SharedRepository): Promise<readonly string[]> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  return [commonDir, ...names.map((name) => join(folder, name))];
}
