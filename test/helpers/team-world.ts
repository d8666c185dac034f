/** Runs two engines on one Postgres, each with its own data folder and a clone of one address. */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitHttpServer, gitHttpServer } from "./git-http-server.ts";
import { ownPostgres } from "./own-postgres.ts";
import { type Product, type RunOptions, startProduct } from "./product.ts";

export interface TeamWorld extends AsyncDisposable {
  readonly product: Product;
  /** The address of the product's origin, and what serves it. */
  readonly url: string;
  readonly server: GitHttpServer;
  /** How a command is typed at the other machine, in its clone. */
  readonly there: Required<Pick<RunOptions, "env" | "cwd">>;
  /** The address of the Postgres. */
  readonly database: string;
  /** Both begin to work, with the settings of the product. `slots` are those of the product's own and the other one; `limits` are the other limits of both. */
  settle(slots?: readonly [number, number], limits?: Readonly<Record<string, number>>): Promise<void>;
  /** The same, and the other machine has no clone: what is typed there is typed in no repository. */
  settleUncloned(slots?: readonly [number, number]): Promise<TeamWorld["there"]>;
}

export async function teamWorld(timing: Readonly<Record<string, number>> = {}): Promise<TeamWorld> {
  const postgres = await ownPostgres();
  const product = await startProduct({ env: { TAZUNA_DATABASE: postgres.url }, timing });
  const { sandbox, origin, repository } = product;
  const server = await gitHttpServer(dirname(origin));
  const url = server.url("origin.git");
  const place = dirname(product.home);
  const there = { env: { TAZUNA_HOME: join(place, "other home") }, cwd: join(place, "other clone") };
  await sandbox.git(repository, ["remote", "set-url", "origin", url]);
  await sandbox.git(place, ["clone", "--quiet", url, there.cwd]);
  const configure = async (slots: readonly [number, number], limits: Readonly<Record<string, number>>) => {
    const home = there.env.TAZUNA_HOME;
    await mkdir(home, { mode: 0o700, recursive: true });
    await product.configure({ limits: { ...limits, parallel: slots[1] } });
    await cp(join(product.home, "config.json"), join(home, "config.json"));
    await product.configure({ limits: { ...limits, parallel: slots[0] } });
  };
  const done = async (...command: Parameters<Product["tazuna"]>) => {
    const { code, stderr } = await product.tazuna(...command);
    if (code !== 0) throw new Error(stderr);
  };
  return {
    ...{ product, url, server, there },
    database: postgres.url,
    settle: async (slots = [8, 8], limits = {}) => {
      await configure(slots, limits);
      for (const how of [{}, there]) await done(["repo", "add", "."], how);
    },
    settleUncloned: async (slots = [8, 8]) => {
      await configure(slots, {});
      const uncloned = { ...there, cwd: place };
      await done(["repo", "add", "."]);
      await done(["workers"], uncloned);
      return uncloned;
    },
    [Symbol.asyncDispose]: async () => {
      await product.tazuna(["engine", "stop"], there);
      await product[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}
