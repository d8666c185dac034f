/** Starts the product beside a git server with a password, for what is cloned by an address. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Behaviour, type GitHttpServer, gitHttpServer } from "./git-http-server.ts";
import { type Product, type ProductOptions, startProduct } from "./product.ts";

export interface CloneWorld extends AsyncDisposable {
  readonly product: Product;
  readonly server: GitHttpServer;
  /** The address of the product's origin at the server. */
  readonly url: string;
  /** The environment of a shell with the token that the server wants. */
  readonly login: { readonly env: Readonly<Record<string, string>> };
  /** The repositories of the list. */
  repositories(): Promise<readonly KnownRepository[]>;
  /** Files of the data folder with this text in their bytes or their name. */
  filesWith(text: string): readonly string[];
}

export interface KnownRepository {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly url: string | null;
}

export const TOKEN = "canary-of-the-clone-9f8e7d";

/** Commands are typed outside of every repository. */
export async function cloneWorld(
  behaviour: Partial<Behaviour> = {},
  options: ProductOptions = {},
): Promise<CloneWorld> {
  const product = await startProduct(options);
  const server = await gitHttpServer(dirname(product.origin), {
    password: { user: "x-access-token", password: TOKEN },
    ...behaviour,
  });
  return {
    product,
    server,
    url: server.url("origin.git"),
    login: { env: { TAZUNA_GITHUB_TOKEN: TOKEN, GITHUB_API_URL: server.url("api/v3") } },
    repositories: async () => {
      const listed = await product.tazuna(["repo", "list", "--json"]);
      return listed.json<{ repositories: readonly KnownRepository[] }>().repositories;
    },
    filesWith: (text) => filesBelow(product.home).filter((file) => holds(file, text)),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await product[Symbol.asyncDispose]();
    },
  };
}

function holds(file: string, text: string): boolean {
  return file.includes(text) || readFileSync(file, "latin1").includes(text);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
