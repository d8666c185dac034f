import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { exec } from "../../src/utils/exec.ts";
import { libraryNode } from "../helpers/library-node.ts";
import { LINUX } from "../helpers/need.ts";
import { PATH, program } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

async function stdoutOf(argv: readonly string[]): Promise<string> {
  const result = await exec(argv, { cwd: "/", env: { PATH } });
  if (!result.started || result.code !== 0) throw new Error(JSON.stringify(result));
  return result.stdout;
}

const node = libraryNode();
const why = node.skip === null ? "" : ` [skipped: ${node.skip}]`;

test.skipIf(node.skip !== null || LINUX.missing)(
  deep(`the process tools work on plain Node too${why}`),
  async () => {
    await using dir = await tempDir();
    const bundle = join(dir.path, "exec-in-node.mjs");
    await stdoutOf([
      process.execPath,
      "build",
      "--target=node",
      `--outfile=${bundle}`,
      program("exec-in-node.ts"),
    ]);
    const output = await stdoutOf([node.binary ?? "", bundle, program("")]);
    expect(JSON.parse(output)).toEqual({
      plain: [3, "héllo"],
      missing: "not_found",
      late: [true, true],
      left: [3, true],
      huge: [0, 10, true],
      echoed: "line\n",
      end: { code: 0, signal: null },
      aliveAfter: false,
      stray: { stopped: [], left: [] },
      order: [1, 2, 3],
    });
  },
);

test.skipIf(LINUX.missing)(
  deep(`reading 1 GiB of output takes little memory and keeps the exit code${LINUX.why}`),
  async () => {
    const { grown, code } = JSON.parse(await stdoutOf([process.execPath, program("exec-memory.ts")]));
    expect(code).toBe(0);
    // A bare spawn that drops everything grows by 30 to 45 MiB until the runtime collects its chunks.
    expect(grown).toBeLessThan(100);
  },
);
