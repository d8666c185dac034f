/** Makes scratch repositories with real git: bare origins, clones and commits, away from the machine's own configuration. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copiedFolder } from "./copied-folder.ts";
import { tempDir } from "./temp-dir.ts";

/** A folder with a home of its own, in which git sees no configuration but what a test writes. */
export interface GitSandbox extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  /** What a user's environment would be: PATH, HOME and an identity in the global configuration. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs git and returns its stdout without the last line break; throws with its stderr on failure. */
  git(cwd: string, args: readonly string[], options?: RawOptions): Promise<string>;
  /** A bare repository with `main` and one commit, unless it is to be empty. */
  origin(
    name: string,
    options?: { readonly empty?: boolean; readonly objectFormat?: string },
  ): Promise<string>;
  /** A clone of `from` with an identity. */
  clone(from: string, name: string, args?: readonly string[]): Promise<string>;
  /** A repository of its own, without any remote, with one commit unless it is to be empty. */
  repository(
    name: string,
    options?: { readonly empty?: boolean; readonly objectFormat?: string },
  ): Promise<string>;
  /** Writes files, commits them on the branch that is checked out, and returns the commit. */
  commit(repo: string, files: Files, message?: string): Promise<string>;
  /** Commits files on a branch of a bare repository, from a throw-away clone. */
  commitTo(origin: string, branch: string, files: Files): Promise<string>;
}

export type Files = Readonly<Record<string, string | FileSpec | null>>;

/** `executable` and `link` as git knows them; null deletes the file. */
export interface FileSpec {
  readonly content: string;
  readonly kind: "executable" | "link";
}

export interface RawOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

const IDENTITY = "[user]\n\tname = Una User\n\temail = una@example.com\n[init]\n\tdefaultBranch = main\n";

/** A new sandbox; use it with `await using`. `identity: "none"` leaves the global configuration without a user. */
export async function gitSandbox(
  options: { readonly identity?: "user" | "none"; readonly globalConfig?: string } = {},
): Promise<GitSandbox> {
  const dir = await tempDir();
  const home = join(dir.path, "home");
  await mkdir(join(home, ".config"), { recursive: true });
  const identity = options.identity === "none" ? "[init]\n\tdefaultBranch = main\n" : IDENTITY;
  await writeFile(join(home, ".gitconfig"), identity + (options.globalConfig ?? ""));
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
    TMPDIR: process.env.TMPDIR ?? "/tmp",
  };
  const git: GitSandbox["git"] = (cwd, args, more = {}) =>
    runRaw(cwd, args, { ...more, env: { ...env, ...more.env } });
  const commit: GitSandbox["commit"] = async (repo, files, message = "change") => {
    await writeFiles(repo, files);
    await git(repo, ["add", "-A"]);
    await git(repo, [...TESTER, "commit", "-q", "-m", message]);
    return git(repo, ["rev-parse", "HEAD"]);
  };

  const isPlain = options.identity !== "none" && options.globalConfig === undefined;
  /** Settings of a sandbox's own may change what git makes; else one is made, and copied. */
  const copy = async (kind: string, path: string, make: (path: string) => Promise<unknown>) => {
    if (isPlain) await copiedFolder(kind, path, make);
    else await make(path);
  };

  const makeRepository = async (path: string, format: string) => {
    await git(dir.path, ["init", "-q", `--object-format=${format}`, path]);
    await commit(path, FIRST_FILES, "first");
  };
  const repository: GitSandbox["repository"] = async (
    name,
    { empty = false, objectFormat = "sha1" } = {},
  ) => {
    const path = join(dir.path, name);
    if (empty) await git(dir.path, ["init", "-q", `--object-format=${objectFormat}`, path]);
    else {
      await copy(`repository ${objectFormat}`, path, (first) => makeRepository(first, objectFormat));
      // The index knows files by their inode, too.
      await git(path, ["update-index", "-q", "--refresh"]);
    }
    return path;
  };

  const origin: GitSandbox["origin"] = async (name, { empty = false, objectFormat = "sha1" } = {}) => {
    const path = join(dir.path, name);
    const make = async (bare: string) => {
      await git(dir.path, ["init", "-q", "--bare", `--object-format=${objectFormat}`, bare]);
      if (!empty)
        await git(await repository(`${name}.source`, { objectFormat }), ["push", "-q", bare, "main"]);
    };
    await (empty ? make(path) : copy(`origin ${objectFormat}`, path, make));
    return path;
  };

  const clone: GitSandbox["clone"] = async (from, name, args = []) => {
    const path = join(dir.path, name);
    await git(dir.path, ["clone", "-q", ...args, from, path]);
    return path;
  };

  let counter = 0;
  const commitTo: GitSandbox["commitTo"] = async (bare, branch, files) => {
    counter += 1;
    const scratch = await clone(bare, `.scratch-${counter}`);
    const exists = await git(scratch, ["branch", "--list", "-r", `origin/${branch}`]);
    await git(scratch, ["checkout", "-q", "-B", branch, ...(exists === "" ? [] : [`origin/${branch}`])]);
    const sha = await commit(scratch, files, `change on ${branch}`);
    await git(scratch, ["push", "-q", "origin", branch]);
    return sha;
  };

  return {
    root: dir.path,
    home,
    env,
    git,
    origin,
    clone,
    repository,
    commit,
    commitTo,
    [Symbol.asyncDispose]: dir[Symbol.asyncDispose],
  };
}

const TESTER = ["-c", "user.name=Tess Tester", "-c", "user.email=tess@example.com"];

const FIRST_FILES: Files = { "README.md": "# Scratch\n", "src/app.txt": "one\ntwo\nthree\n" };

/** Writes, links or deletes files below a folder. */
export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, file] of Object.entries(files)) {
    const full = join(root, path);
    await mkdir(dirname(full), { recursive: true });
    if (file === null) await Bun.file(full).delete();
    else if (typeof file === "string") await writeFile(full, file);
    else if (file.kind === "link") await symlink(file.content, full);
    else {
      await writeFile(full, file.content);
      await chmod(full, 0o755);
    }
  }
}

async function runRaw(
  cwd: string,
  args: readonly string[],
  { env, stdin }: { readonly env: Readonly<Record<string, string>>; readonly stdin?: string },
): Promise<string> {
  const child = Bun.spawn(["git", ...args], {
    cwd,
    env: { ...env },
    stdin: stdin === undefined ? "ignore" : new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout.replace(/\n$/, "");
}
