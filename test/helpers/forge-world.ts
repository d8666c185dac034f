/** Runs the whole product with a remote on a forge: git over HTTP and the forge's API behind one login. */
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Login, SmallGitHub } from "./github/small-github.ts";
import { smallGitHub } from "./github/small-github.ts";
import { branchAt } from "./journey.ts";
import { type Product, type ProductOptions, startProduct } from "./product.ts";

export interface ForgeWorld extends AsyncDisposable {
  readonly product: Product;
  readonly github: SmallGitHub;
  /** The bare repository that the forge has. */
  readonly bare: string;
  /** The commit of a branch there. */
  headOf(branch: string): Promise<string | null>;
  /** `LOGIN OLD NEW REF` of every reference that was pushed. */
  pushes(): Promise<readonly string[]>;
  /** Follows the facts from now on, so that the engine looks at pull requests every second. */
  attend(): Promise<void>;
  /** Settings of the forge, over those that name it. */
  configure(forge: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Tokens of the right shape, which nothing may ever show: that of the person, and that of a colleague. */
export const TOKEN = `ghp_${"0123456789abcdef".repeat(3).slice(0, 36)}`;
export const COLLEAGUE = `ghp_${"fedcba9876543210".repeat(3).slice(0, 36)}`;

const WRITER: Omit<Login, "name"> = { sees: true, pushes: true, pulls: true };

/** `editor` is an agent that adds a line to hello.txt. */
export async function forgeWorld(options: ProductOptions = {}): Promise<ForgeWorld> {
  const product = await startProduct({ ...options, env: { TAZUNA_GITHUB_TOKEN: TOKEN, ...options.env } });
  const world = await onForge(product);
  const summary = 'echo "Said hello." > "$TAZUNA_SUMMARY_FILE"';
  await product.agent("editor", `echo "$TAZUNA_RUN" >> hello.txt; ${summary}`);
  return {
    ...world,
    [Symbol.asyncDispose]: async () => {
      // The forge ends first: a request of the engine would find no repository any more.
      try {
        await world[Symbol.asyncDispose]();
      } finally {
        await product[Symbol.asyncDispose]();
      }
    },
  };
}

/** Puts the remote of a product on a forge; the token is in the product's environment. */
export async function onForge(product: Product): Promise<ForgeWorld> {
  const folder = join(dirname(product.origin), "forge");
  const bare = join(folder, "ann", "garden.git");
  await mkdir(dirname(bare), { recursive: true });
  await rename(product.origin, bare);
  const pushed = join(folder, "pushes");
  await hook(bare, `while read -r old new ref; do echo "$REMOTE_USER $old $new $ref" >> '${pushed}'; done`);
  const github = await smallGitHub(folder, (...args) => product.sandbox.git(bare, args));
  github.logins.set(TOKEN, { name: "ann", ...WRITER });
  github.logins.set(COLLEAGUE, { name: "bob", ...WRITER });
  await product.sandbox.git(product.repository, ["remote", "set-url", "origin", github.gitUrl]);
  const configure = (forge: Readonly<Record<string, unknown>>) =>
    product.configure({ forge: { kind: "github", api_url: github.url, poll_s: 1, ...forge } });
  await configure({});
  const attending = new AbortController();
  return {
    product,
    github,
    bare,
    headOf: (branch) => branchAt(product, bare, branch),
    pushes: async () => {
      const text = await readFile(pushed, "utf8").catch(() => "");
      return text.split("\n").filter((line) => line !== "");
    },
    configure,
    attend: async () => {
      const file = await readFile(join(product.home, "server.json"), "utf8");
      const { url, token } = JSON.parse(file) as { url: string; token: string };
      const headers = { authorization: `Bearer ${token}` };
      await fetch(`${url}/api/v1/events`, { headers, signal: attending.signal });
    },
    [Symbol.asyncDispose]: async () => {
      attending.abort();
      await github[Symbol.asyncDispose]();
    },
  };
}

/** Runs after each push. */
async function hook(bare: string, script: string): Promise<void> {
  const path = join(bare, "hooks", "post-receive");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}
