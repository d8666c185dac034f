/** Makes the next version of this program from its source: a higher version and protocol, and a migration that adds. */
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** The version that it names itself. */
export const NEXT_VERSION = "99.0.0";

/** Returns its command. Runs of agents that it makes need its protocol. */
export async function nextVersion(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of ["src", "bin", "scripts"])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await cp(join(ROOT, "package.json"), join(folder, "package.json"));
  await change(join(folder, "src/app/process/settings.ts"), [
    [/VERSION = "[^"]+"/, `VERSION = "${NEXT_VERSION}"`],
  ]);
  await change(join(folder, "src/domain/worker/protocol.ts"), [
    [/PROTOCOL = \d+/, "PROTOCOL = 99"],
    [/\bagent: \d+/, "agent: 99"],
  ]);
  await change(join(folder, "src/storage/migrations/migrations.ts"), [
    [
      /(MIGRATIONS: Migrations = \{)/,
      '$1\n  "9990-adds-moods": newColumn("runs", "mood", "text"),\n  "9991-adds-feelings": newColumn("workers", "feeling", "text"),',
    ],
  ]);
  return join(folder, "bin/tazuna");
}

async function change(file: string, changes: readonly (readonly [RegExp, string])[]): Promise<void> {
  let text = await readFile(file, "utf8");
  for (const [before, after] of changes) {
    const changed = text.replace(before, after);
    if (changed === text) throw new Error(`${file} does not have ${String(before)}`);
    text = changed;
  }
  await writeFile(file, text);
}
