import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../helpers/temp-dir.ts";

const BIN = join(import.meta.dir, "../../bin/tazuna");

test("nothing that a folder tells the runtime is run by a command that is called in it", async () => {
  await using folder = await tempDir();
  await writeFile(join(folder.path, "bunfig.toml"), 'preload = ["./planted.ts"]\n');
  await writeFile(join(folder.path, "planted.ts"), 'console.log("planted");\n');
  await writeFile(join(folder.path, ".env"), "TAZUNA_BASE=planted\n");
  const child = Bun.spawn([BIN, "config", "--json"], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, TAZUNA_HOME: join(folder.path, "home") },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(out + err).not.toContain("planted");
});
