/** Makes a scratch world for one benchmark: a bare origin of so many files, a clone of it, and a data folder, on one file system. */
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importText } from "./import-text.ts";

export interface Scratch extends AsyncDisposable {
  readonly root: string;
  /** The bare remote; its `post-receive` hook writes down when each branch arrived. */
  readonly origin: string;
  /** The user's checkout, on `main`. */
  readonly clone: string;
  /** Tazuna's data folder. */
  readonly home: string;
  /** Where the raw arm makes its worktrees: beside the data folder, on the same file system. */
  readonly raw: string;
  /** The references that came to the origin, once for each push of it. */
  arrived(): readonly string[];
  /** Where agents and the hook leave their time stamps. */
  readonly stamps: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs git to its end; throws with its stderr. */
  git(cwd: string, ...args: string[]): void;
  /** Writes an executable shell script and answers its path. */
  script(name: string, text: string): Promise<string>;
  /** Writes the data folder's `config.json`; agents may write their time stamps. */
  configure(values: Readonly<Record<string, unknown>>): Promise<void>;
}

/** A new one below TMPDIR with `files` files; use it with `await using`. */
export async function makeScratch({ files }: { readonly files: number }): Promise<Scratch> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "tazuna-bench-")));
  const at = (name: string) => join(root, name);
  for (const name of ["user", "home", "raw", "stamps", "scripts"]) await mkdir(at(name));
  await writeFile(join(at("user"), ".gitconfig"), IDENTITY);
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: at("user"),
    GIT_CONFIG_NOSYSTEM: "1",
    TMPDIR: tmpdir(),
    TAZUNA_HOME: at("home"),
    NO_COLOR: "1",
  };
  const git = (cwd: string, ...args: string[]): void => {
    const ended = Bun.spawnSync(["git", ...args], { cwd, env, stdout: "ignore", stderr: "pipe" });
    if (ended.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${ended.stderr}`);
  };
  const script = async (name: string, text: string): Promise<string> => {
    const path = join(at("scripts"), name);
    await writeFile(path, `#!/bin/sh\n${text}\n`);
    await chmod(path, 0o755);
    return path;
  };
  await makeOrigin({ origin: at("origin.git"), stamps: at("stamps"), files, env, git });
  git(root, "clone", "-q", at("origin.git"), at("clone"));
  return {
    root,
    origin: at("origin.git"),
    clone: at("clone"),
    home: at("home"),
    raw: at("raw"),
    stamps: at("stamps"),
    arrived: () =>
      readIfThere(join(at("stamps"), "arrived"))
        .split("\n")
        .filter(Boolean),
    env,
    git,
    script,
    configure: (values) =>
      writeFile(
        join(at("home"), "config.json"),
        JSON.stringify({ sandbox: { write: [at("stamps")] }, ...values }),
      ),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

const IDENTITY = "[user]\n\tname = Bea Bench\n\temail = bea@example.com\n[init]\n\tdefaultBranch = main\n";

async function makeOrigin(of: {
  readonly origin: string;
  readonly stamps: string;
  readonly files: number;
  readonly env: Readonly<Record<string, string>>;
  readonly git: Scratch["git"];
}): Promise<void> {
  of.git("/", "init", "-q", "--bare", of.origin);
  const ended = Bun.spawnSync(["git", "fast-import", "--quiet"], {
    cwd: of.origin,
    env: { ...of.env },
    stdin: new TextEncoder().encode(importText(of.files)),
    stderr: "pipe",
  });
  if (ended.exitCode !== 0) throw new Error(`git fast-import: ${ended.stderr}`);
  const hook = join(of.origin, "hooks/post-receive");
  const stamp = `date +%s%N >"${of.stamps}/pushed-$(printf %s "$ref" | tr / _)"`;
  await writeFile(
    hook,
    `#!/bin/sh\nwhile read -r old new ref; do ${stamp}; echo "$ref" >>"${of.stamps}/arrived"; done\n`,
  );
  await chmod(hook, 0o755);
}
