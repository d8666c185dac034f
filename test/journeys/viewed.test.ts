/** Marks files of a patch as looked at, and shows what changed since. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { http } from "../helpers/http.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

interface Viewed {
  readonly items: readonly { readonly path: string; readonly changed: boolean }[];
  readonly seen_run: string | null;
}

test(
  deep("a mark holds until the file changes, and the newest run that was seen is remembered"),
  async () => {
    await using product = await startProduct();
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    const first = await ask(product, ["run", "echo 1 > one.txt; echo 2 > two.txt", "--agent", "doer"]);
    const { id } = first.attempt;
    const marks = async () => {
      const { body } = await http<Viewed>(product, `GET /attempts/${id}/viewed`);
      return [body.items.map(({ path, changed }) => `${path} ${changed}`), body.seen_run];
    };
    const mark = (path: string, viewed: boolean) =>
      http(product, `PUT /attempts/${id}/viewed`, { path, viewed });
    expect(await marks()).toEqual([[], null]);
    for (const path of ["two.txt", "one.txt"]) expect((await mark(path, true)).status).toBe(200);
    const seen = await http(product, `PUT /attempts/${id}/seen`);
    expect(seen.body).toEqual({ run: first.run.id });
    expect(await marks()).toEqual([["one.txt false", "two.txt false"], first.run.id]);
    expect((await mark("README.md", true)).body.code).toBe("file_not_changed");
    expect((await mark("README.md", false)).status).toBe(200);

    const second = await ask(product, ["continue", id, "echo more >> two.txt; echo 3 > three.txt"]);
    await product.killEngine();
    await product.tazuna(["list"]);
    expect(await marks()).toEqual([["one.txt false", "two.txt true"], first.run.id]);
    await mark("two.txt", true);
    await mark("one.txt", false);
    expect(await marks()).toEqual([["two.txt false"], first.run.id]);
    expect((await http(product, `PUT /attempts/${id}/seen`)).body).toEqual({ run: second.run.id });
    const older = await http(product, `PUT /attempts/${id}/seen`, { run: first.run.id });
    expect(older.body).toEqual({ run: second.run.id });
    expect((await http(product, `PUT /attempts/${id}/seen`, { run: id })).status).toBe(404);
    expect((await http(product, "GET /attempts/x/viewed")).status).toBe(404);
    await ask(product, ["continue", id, "rm two.txt"]);
    expect(await marks()).toEqual([[], second.run.id]);
  },
);
