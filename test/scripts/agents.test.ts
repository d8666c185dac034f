import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { which } from "bun";
import pinned from "../../scripts/agents.json";
import { tempDir } from "../helpers/temp-dir.ts";

const SCRIPT = resolve(import.meta.dir, "../../scripts/agents.mjs");
const node = which("node");

/** Stands in for the registry: "installs" a program that prints its version, and counts how often it was asked. */
const WORKING_NPM = `
for spec; do :; done
echo "$spec" >> "$NPM_LOG"
mkdir -p node_modules/.bin
case "$spec" in
  *claude-code@*) program=claude ;;
  *codex@*) program=codex ;;
  *opencode-ai@*) program=opencode ;;
  node@*) program=node ;;
  s3rver@*) program=s3rver ;;
  *) program=gemini ;;
esac
printf '#!/bin/sh\\necho %s\\n' "\${spec##*@}" > "node_modules/.bin/$program"
chmod +x "node_modules/.bin/$program"
`;

/** Runs the script with a cache and an npm of its own. */
async function install(folder: string, npm: string) {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "npm"), `#!/bin/sh\n${npm}\n`);
  await chmod(join(bin, "npm"), 0o755);
  const child = Bun.spawn([node ?? "", SCRIPT], {
    env: {
      PATH: `${bin}:${process.env.PATH ?? ""}`,
      HOME: folder,
      XDG_CACHE_HOME: join(folder, "cache"),
      NPM_LOG: join(folder, "npm.log"),
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const cache = join(folder, "cache", "tazuna-agents");
  return {
    code: await child.exited,
    stdout,
    stderr,
    cache,
    folders: (await readdir(cache).catch(() => [])).sort(),
    // They are installed side by side.
    asked: (await readFile(join(folder, "npm.log"), "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean)
      .sort(),
  };
}

const skip = node === null ? " [skipped: node is not on PATH]" : "";

describe.skipIf(node === null)(`npm run agents${skip}`, () => {
  test("installs each pinned version once, and says where it is", async () => {
    await using folder = await tempDir();
    const first = await install(folder.path, WORKING_NPM);
    const specs = pinned.map((agent) => `${agent.package}@${agent.version}`).sort();
    const folders = pinned.map((agent) => `${agent.package.split("/").at(-1)}-${agent.version}`);
    expect({ code: first.code, asked: first.asked, folders: first.folders }).toEqual({
      code: 0,
      asked: specs,
      folders: folders.sort(),
    });
    for (const { program, version } of pinned)
      expect(first.stdout).toMatch(new RegExp(`^${program} ${version} ${first.cache}/.*/${program}$`, "m"));
    const second = await install(folder.path, WORKING_NPM);
    expect({ code: second.code, asked: second.asked, stdout: second.stdout }).toEqual({
      code: 0,
      asked: specs,
      stdout: first.stdout,
    });
  });

  test("fails with the reason and leaves nothing half installed", async () => {
    await using folder = await tempDir();
    const failed = await install(folder.path, "echo 'registry down' >&2; mkdir -p node_modules; exit 7");
    expect({ code: failed.code, folders: failed.folders }).toEqual({ code: 1, folders: [] });
    expect(failed.stderr).toContain("registry down");
    expect(failed.stderr).toContain("npm install failed with exit code 7");
  });

  test("goes on with the others if one cannot be installed, and says which", async () => {
    await using folder = await tempDir();
    const npm = `for one; do case "$one" in *codex@*) echo 'no codex' >&2; exit 7 ;; esac; done\n${WORKING_NPM}`;
    const max = await install(folder.path, npm);
    const others = pinned.filter(({ program }) => program !== "codex");
    expect({ code: max.code, installed: max.stdout.split("\n").map((line) => line.split(" ")[0]) }).toEqual({
      code: 1,
      installed: [...others.map(({ program }) => program), ""],
    });
    expect(max.stderr).toContain("codex 0.169.0 could not be installed");
  });

  test("takes no other version for the pinned one, and mends a broken folder", async () => {
    await using folder = await tempDir();
    const other = await install(folder.path, WORKING_NPM.replace(`"\${spec##*@}"`, "0.0.1"));
    expect({ code: other.code, folders: other.folders }).toEqual({ code: 1, folders: [] });
    expect(other.stderr).toContain("claude --version answered with exit code 0: 0.0.1");
    const broken = join(other.cache, "codex-0.169.0");
    await mkdir(broken, { recursive: true });
    const mended = await install(folder.path, WORKING_NPM);
    expect({ code: mended.code, codex: await readdir(join(broken, "node_modules/.bin")) }).toEqual({
      code: 0,
      codex: ["codex"],
    });
  });
});
