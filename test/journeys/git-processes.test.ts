/** Counts the git processes of a run: a number that no machine changes, so that a slower way is seen the day it is written. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { IN_TEAM } from "../helpers/own-schema.ts";
import { startProduct } from "../helpers/product.ts";
import { tempDir } from "../helpers/temp-dir.ts";

setDefaultTimeout(PATIENCE_MS);

/**
 * From the request to the answer that it is pushed. The engine knows the repository, which is a clone, and its agent
 * edits one file. In a team the base is looked for, too.
 */
const MOST = IN_TEAM ? 27 : 25;

test(`a run that edits and pushes starts at most ${MOST} git processes, of which one reads settings`, async () => {
  await using folder = await tempDir();
  const [programs, log] = [join(folder.path, "programs"), join(folder.path, "log")];
  await mkdir(programs);
  const noting = `line=$(printf '%s ' "$@" | tr '\\n' ' '); echo "$line" >> '${log}'`;
  await writeFile(join(programs, "git"), `#!/bin/sh\n${noting}\nexec '${Bun.which("git")}' "$@"\n`);
  await chmod(join(programs, "git"), 0o755);
  await using product = await startProduct({ env: { PATH: `${programs}:${process.env.PATH}` } });
  await product.sandbox.git(product.repository, ["remote", "set-head", "origin", "main"]);
  await product.agent("writer", `echo "$TAZUNA_RUN" > written.txt`);
  const run = async () => {
    await writeFile(log, "");
    const { run } = await ask(product, ["run", "Write", "--agent", "writer"]);
    expect<unknown>(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    return (await readFile(log, "utf8")).trim().split("\n");
  };
  await run();
  const started = await run();
  const settings = started.filter((line) => / config /.test(line));
  expect({ more: started.length > MOST ? started : [], settings: settings.length }).toEqual({
    more: [],
    settings: 1,
  });
});
