/** Runs two engines on one Postgres, each with its own data folder and a clone of one address. */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gitHttpServer } from "./git-http-server.ts";
import { ownPostgres } from "./own-postgres.ts";
import { type Product, type RunOptions, startProduct } from "./product.ts";

export interface TeamWorld extends AsyncDisposable {
  readonly product: Product;
  /** The address of the product's origin. */
  readonly url: string;
  /** How a command is typed at the other machine, in its clone. */
  readonly there: Required<Pick<RunOptions, "env" | "cwd">>;
  /** The address of the Postgres. */
  readonly database: string;
  /** Both begin to work, with the settings of the product. `slots` are those of the product's own and the other one; `limits` are the other limits of both. */
  settle(slots?: readonly [number, number], limits?: Readonly<Record<string, number>>): Promise<void>;
}

export async function teamWorld(): Promise<TeamWorld> {
  const postgres = await ownPostgres();
  const product = await startProduct({ env: { TAZUNA_DATABASE: postgres.url } });
  const { sandbox, origin, repository } = product;
  const server = await gitHttpServer(dirname(origin));
  const url = server.url("origin.git");
  const place = dirname(product.home);
  const there = { env: { TAZUNA_HOME: join(place, "other home") }, cwd: join(place, "other clone") };
  await sandbox.git(repository, ["remote", "set-url", "origin", url]);
  await sandbox.git(place, ["clone", "--quiet", url, there.cwd]);
  return {
    product,
    url,
    there,
    database: postgres.url,
    settle: async (slots = [8, 8], limits = {}) => {
      const home = there.env.TAZUNA_HOME;
      await mkdir(home, { mode: 0o700, recursive: true });
      await product.configure({ limits: { ...limits, parallel: slots[1] } });
      await cp(join(product.home, "config.json"), join(home, "config.json"));
      await product.configure({ limits: { ...limits, parallel: slots[0] } });
      for (const how of [{}, there]) {
        const { code, stderr } = await product.tazuna(["repo", "add", "."], how);
        if (code !== 0) throw new Error(stderr);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await product.tazuna(["engine", "stop"], there);
      await product[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}
