/** Runs the whole product with a remote on a forge, whichever of them: git over HTTP, and the forge's API beside it. */
import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { forgeWorld, TOKEN } from "../forge-world.ts";
import { gitHttpServer } from "../git-http-server.ts";
import { branchAt } from "../journey.ts";
import { type Product, type ProductOptions, startProduct } from "../product.ts";
import { PLAYED, PLAYED_KINDS, type PlayedKind } from "./played-forges.ts";
import type { ToldForge } from "./small-forge.ts";

export type AnyKind = PlayedKind | "github";
export const EVERY_KIND: readonly AnyKind[] = ["github", ...PLAYED_KINDS];

export interface ProductWorld extends AsyncDisposable {
  readonly product: Product;
  readonly forge: ToldForge;
  /** The bare repository that the forge has. */
  readonly bare: string;
  readonly token: string;
  /** The page of a pull request, and the id of the thread of a comment, as the forge names them. */
  readonly page: (number: number) => string;
  readonly thread: (comment: number) => string;
  headOf(branch: string): Promise<string | null>;
  /** Follows the facts from now on, so that the engine looks at pull requests every second. */
  attend(): Promise<void>;
  configure(forge: Readonly<Record<string, unknown>>): Promise<void>;
}

/** `editor` is an agent that adds a line to hello.txt. */
export async function productWorld(kind: AnyKind, options: ProductOptions = {}): Promise<ProductWorld> {
  if (kind === "github") {
    const world = await forgeWorld(options);
    return {
      ...world,
      forge: world.github,
      token: TOKEN,
      page: (number) => `https://github.example/ann/garden/pull/${number}`,
      thread: (comment) => `line:${comment}`,
    };
  }
  const { token, value, page, thread } = PLAYED[kind];
  const product = await startProduct({ ...options, env: { [token]: value, ...options.env } });
  await product.agent(
    "editor",
    'echo "$TAZUNA_RUN" >> hello.txt; echo "Said hello." > "$TAZUNA_SUMMARY_FILE"',
  );
  const world = await onPlayed(product, kind);
  return {
    ...world,
    token: value,
    page,
    thread,
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

async function onPlayed(product: Product, kind: PlayedKind) {
  const folder = join(dirname(product.origin), "forge");
  const bare = join(folder, "ann", "garden.git");
  await mkdir(dirname(bare), { recursive: true });
  await rename(product.origin, bare);
  const server = await gitHttpServer(folder);
  const url = server.url("ann/garden.git");
  await product.sandbox.git(product.repository, ["remote", "set-url", "origin", url]);
  const forge = await PLAYED[kind].start((...args) => product.sandbox.git(bare, args));
  const configure = (more: Readonly<Record<string, unknown>>) =>
    product.configure({ forge: { kind, api_url: forge.url, poll_s: 1, ...more } });
  await configure({});
  const attending = new AbortController();
  return {
    product,
    forge,
    bare,
    headOf: (branch: string) => branchAt(product, bare, branch),
    configure,
    attend: async () => {
      const file = await readFile(join(product.home, "server.json"), "utf8");
      const { url: engine, token } = JSON.parse(file) as { url: string; token: string };
      const headers = { authorization: `Bearer ${token}` };
      await fetch(`${engine}/api/v1/events`, { headers, signal: attending.signal });
    },
    [Symbol.asyncDispose]: async () => {
      attending.abort();
      await forge[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
