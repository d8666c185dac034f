/** Measures what the guard adds to a call of git: reading and refused ones of the repository that it guards, writing ones of another. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shimText } from "../src/guard/shim.ts";
import { nowMs } from "./support/clock.ts";
import { PROGRAM } from "./support/program.ts";
import { printMeasures, printSummary } from "./support/report.ts";
import { type Arm, measureRounds, medianOf, ratioOf } from "./support/rounds.ts";
import { makeScratch, type Scratch } from "./support/scratch.ts";
import { sizesToMeasure } from "./support/sizes.ts";

const CALLS = { status: ["status", "--short"], show: ["rev-parse", "HEAD"] };

for (const size of sizesToMeasure(process.argv.slice(2))) {
  await using scratch = await makeScratch(size);
  const folder = join(scratch.root, "guard");
  await mkdir(folder);
  const commonDir = join(scratch.clone, ".git");
  await writeFile(join(folder, "git"), shimText({ selfCommand: PROGRAM, commonDir, folder }));
  await chmod(join(folder, "git"), 0o755);
  const other = join(scratch.raw, "other");
  scratch.git(scratch.raw, "init", "-q", other);
  const arms = Object.entries(CALLS).flatMap(([name, words]) => [
    arm(scratch, `git ${name}`, { words, folder: null, cwd: scratch.clone }),
    arm(scratch, `guarded ${name}`, { words, folder, cwd: scratch.clone }),
  ]);
  const commit = ["commit", "-q", "--allow-empty", "-m", "x"];
  arms.push(
    arm(scratch, "git commit elsewhere", { words: commit, folder: null, cwd: other }),
    arm(scratch, "guarded commit elsewhere", { words: commit, folder, cwd: other }),
    arm(scratch, "refused commit", { words: commit, folder, cwd: scratch.clone, code: 1 }),
  );
  const measured = await measureRounds(arms, size.rounds);
  printMeasures(`guard, ${size.name}, ${size.rounds} rounds`, measured, { raw: "git status", limits: {} });
  printSummary(`guard-${size.name}`, {
    status: ratioOf(measured, "guarded status", "git status"),
    show: ratioOf(measured, "guarded show", "git show"),
    commit_elsewhere: ratioOf(measured, "guarded commit elsewhere", "git commit elsewhere"),
    adds_ms: medianOf(measured, "guarded show") - medianOf(measured, "git show"),
  });
}

interface Call {
  readonly words: readonly string[];
  /** Of the guard; null without it. */
  readonly folder: string | null;
  readonly cwd: string;
  readonly code?: number;
}

function arm({ env }: Scratch, name: string, { words, folder, cwd, code = 0 }: Call): Arm {
  const path = folder === null ? env.PATH : `${folder}:${env.PATH}`;
  return {
    name,
    run: async () => {
      const began = nowMs();
      const ended = Bun.spawnSync(["/bin/sh", "-c", 'exec git "$@"', "sh", ...words], {
        cwd,
        env: { ...env, PATH: path ?? "" },
      });
      const took = nowMs() - began;
      if (ended.exitCode !== code) throw new Error(`${name}: ${ended.exitCode} ${ended.stderr}`);
      return { [name]: took };
    },
  };
}
