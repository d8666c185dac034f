/** Runs the whole product with a remote on a forge: git over HTTP, and the forge's API beside it. */
import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gitHttpServer } from "./git-http-server.ts";
import { branchAt } from "./journey.ts";
import { type Product, type ProductOptions, startProduct } from "./product.ts";
import { type SmallGitHub, smallGitHub } from "./small-github.ts";

export interface ForgeWorld extends AsyncDisposable {
  readonly product: Product;
  readonly github: SmallGitHub;
  /** The bare repository that the forge has. */
  readonly bare: string;
  /** The commit of a branch there. */
  headOf(branch: string): Promise<string | null>;
  /** Follows the facts from now on, so that the engine looks at pull requests every second. */
  attend(): Promise<void>;
  /** Settings of the forge, over those that name it. */
  configure(forge: Readonly<Record<string, unknown>>): Promise<void>;
}

/** A token of the right shape, which nothing may ever show. */
export const TOKEN = `ghp_${"0123456789abcdef".repeat(3).slice(0, 36)}`;

/** `editor` is an agent that adds a line to hello.txt. */
export async function forgeWorld(options: ProductOptions = {}): Promise<ForgeWorld> {
  const product = await startProduct({ ...options, env: { TAZUNA_GITHUB_TOKEN: TOKEN, ...options.env } });
  const world = await onForge(product);
  const summary = 'echo "Said hello." > "$TAZUNA_SUMMARY_FILE"';
  await product.agent("editor", `echo "$TAZUNA_RUN" >> hello.txt; ${summary}`);
  return {
    ...world,
    [Symbol.asyncDispose]: async () => {
      await product[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Puts the remote of a product on a forge; the token is in the product's environment. */
export async function onForge(product: Product): Promise<ForgeWorld> {
  const folder = join(dirname(product.origin), "forge");
  const bare = join(folder, "ann", "garden.git");
  await mkdir(dirname(bare), { recursive: true });
  await rename(product.origin, bare);
  const server = await gitHttpServer(folder);
  await product.sandbox.git(product.repository, [
    "remote",
    "set-url",
    "origin",
    server.url("ann/garden.git"),
  ]);
  const headOf = (branch: string) => branchAt(product, bare, branch);
  const github = await smallGitHub(headOf);
  github.merge = async ({ head, base }, method) => {
    const git = (...args: string[]) => product.sandbox.git(bare, args);
    const tree = await git("merge-tree", "--write-tree", base, head);
    const parents = ["-p", base, ...(method === "squash" ? [] : ["-p", head])];
    const commit = await git("commit-tree", ...parents, "-m", `Merge ${head}`, tree);
    await git("update-ref", `refs/heads/${base}`, commit);
    return commit;
  };
  const configure = (forge: Readonly<Record<string, unknown>>) =>
    product.configure({ forge: { kind: "github", api_url: github.url, poll_s: 1, ...forge } });
  await configure({});
  const attending = new AbortController();
  return {
    product,
    github,
    bare,
    headOf,
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
      await server[Symbol.asyncDispose]();
    },
  };
}
