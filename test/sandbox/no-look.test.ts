/** Looks at places with no file descriptor left: that does not count as "nothing is there". */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../helpers/temp-dir.ts";

setDefaultTimeout(150_000);

const SRC = join(import.meta.dir, "../../src");

/** Looks once with room, so that all is loaded, and once without; prints what it came to each time. */
const PROGRAM = `
import { closeSync, openSync } from "node:fs";
import { layersOf } from "${SRC}/sandbox/layers.ts";
const hidden = process.argv[2];
const look = () => {
  try {
    return layersOf({ writable: [], own: [], readOnly: [], hidden: [hidden] }).length;
  } catch (error) {
    return error.code;
  }
};
const before = look();
const open = [];
try { for (;;) open.push(openSync("/dev/null", "r")); } catch {}
const without = look();
for (const file of open) closeSync(file);
console.log(JSON.stringify([before, without]));
`;

const skipped = process.platform === "linux" ? "" : " [skipped: only Linux lays places over each other]";

test.skipIf(skipped !== "")(
  `with no file descriptor left a place that is to be hidden is not left open${skipped}`,
  async () => {
    await using folder = await tempDir();
    const hidden = join(folder.path, "secret");
    await mkdir(hidden);
    await Bun.write(join(folder.path, "look.ts"), PROGRAM);
    const command = ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh", process.execPath, "look.ts", hidden];
    const child = Bun.spawn(command, { cwd: folder.path, stderr: "inherit" });
    expect(JSON.parse(await new Response(child.stdout).text())).toEqual([1, "EMFILE"]);
  },
);
