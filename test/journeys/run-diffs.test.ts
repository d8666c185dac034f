/** Shows what each run changed, and what changed since one of them, over HTTP. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiffFile } from "../../src/contract/endpoints/attempts.ts";
import { http } from "../helpers/http.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

interface Diff {
  readonly files: readonly DiffFile[];
  readonly patch: string;
  readonly code: string;
}

interface Lines {
  readonly sha: string;
  readonly lines: readonly string[];
  readonly total: number;
  readonly code: string;
}

test(
  deep("every run has its own diff, also while it works, and the attempt has one since a run"),
  async () => {
    await using product = await startProduct();
    await using barrier = gate(product, "diffs");
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    const begin = "echo one > one.txt; echo shared > both.txt; seq 40 > long.txt; printf 'GIF89a\\0' > b.bin";
    const first = await ask(product, ["run", begin, "--agent", "doer"]);
    const { id } = first.attempt;
    const goOn =
      "echo two > two.txt; echo more >> both.txt; sed -i 20s/$/x/ long.txt; printf 'a\\0bc' > b.bin";
    const second = await ask(product, ["continue", id, goOn]);
    const diff = async (path: `/${string}`) => (await http<Diff>(product, `GET ${path}`)).body;
    const names = async (path: `/${string}`) =>
      (await diff(path)).files.map((file) => `${file.status} ${file.path} +${file.additions}`);
    expect(await names(`/runs/${first.run.id}/diff`)).toEqual([
      "added b.bin +null",
      "added both.txt +1",
      "added long.txt +40",
      "added one.txt +1",
    ]);
    const changed = [
      "modified b.bin +null",
      "modified both.txt +1",
      "modified long.txt +1",
      "added two.txt +1",
    ];
    expect(await names(`/runs/${second.run.id}/diff?files=only`)).toEqual(changed);
    expect((await diff(`/runs/${second.run.id}/diff?path=both.txt`)).patch).toContain("\n shared\n+more\n");
    expect(await names(`/attempts/${id}/diff?since=${first.run.id}`)).toEqual(changed);
    const sizes = async (path: `/${string}`) => (await diff(path)).files.map((file) => file.sizes);
    expect(await sizes(`/runs/${second.run.id}/diff?path=b.bin`)).toEqual([{ before: 7, after: 4 }]);
    expect(await sizes(`/attempts/${id}/diff?path=b.bin`)).toEqual([{ before: null, after: 4 }]);
    expect(await sizes(`/attempts/${id}/diff?path=one.txt`)).toEqual([null]);
    const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
    const picture = async (side: string) =>
      fetch(`${url}/api/v1/runs/${second.run.id}/picture?path=b.bin&side=${side}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    const { status, headers } = await picture("old");
    expect([status, headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect((await picture("new")).status).toBe(409);

    // Lines that the patch leaves out come from the very trees that it compares.
    const lines = async (path: `/${string}`) => (await http<Lines>(product, `GET ${path}`)).body;
    const own = await lines(`/runs/${second.run.id}/lines?path=long.txt&from=19&to=21`);
    expect(own).toMatchObject({ lines: ["19", "20x", "21"], total: 40 });
    expect((await diff(`/runs/${second.run.id}/diff?path=long.txt`)).patch).toContain(own.sha.slice(0, 7));
    const before: `/${string}` = `/attempts/${id}/lines?path=long.txt&since=${first.run.id}&side=old`;
    expect(await lines(`${before}&from=20&to=20`)).toMatchObject({ lines: ["20"] });
    expect(await lines(`${before}&from=39&to=99`)).toMatchObject({ lines: ["39", "40"], total: 40 });
    expect(await lines(`${before}&from=1&to=1001`)).toMatchObject({ code: "bad_request" });
    for (const path of ["README.md", "../README.md", "."])
      expect(await lines(`/attempts/${id}/lines?path=${path}&from=1&to=1`)).toMatchObject({
        code: "file_not_changed",
      });
    expect(await names(`/attempts/${id}/diff?since=${second.run.id}&files=only`)).toEqual([]);
    expect((await diff(`/runs/${second.run.id}/diff?path=one.txt`)).code).toBe("file_not_changed");
    expect(await http(product, `GET /attempts/${id}/diff?since=${id}`)).toMatchObject({ status: 404 });
    const both = await http(product, `GET /attempts/${id}/diff?since=${first.run.id}&other=${id}`);
    expect(both.body).toMatchObject({ code: "bad_request" });

    const head = await product.sandbox.git(first.attempt.worktree, ["rev-parse", "HEAD"]);
    const words = `echo three > three.txt; ${barrier.wait}; echo four > four.txt`;
    const working = await ask(product, ["continue", id, words, "--detach"]);
    const run = working.attempt.runs.at(-1)?.id ?? "";
    await barrier.reached();
    expect(await names(`/runs/${run}/diff`)).toEqual(["added three.txt +1"]);
    expect(await product.sandbox.git(first.attempt.worktree, ["status", "--porcelain"])).toBe("?? three.txt");
    expect(await product.sandbox.git(first.attempt.worktree, ["rev-parse", "HEAD"])).toBe(head);
    await barrier.open();
    await product.tazuna(["wait", run]);
    expect(await names(`/runs/${run}/diff`)).toEqual(["added four.txt +1", "added three.txt +1"]);
  },
);

test(
  deep("a run that the gate kept back shows what lies there, and later what the next run began with"),
  async () => {
    await using product = await startProduct();
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    const words = "printf '<<<<<<< a\\nx\\n=======\\ny\\n>>>>>>> b\\n' > conflict.txt; echo fine > fine.txt";
    const kept = await ask(product, ["run", words, "--agent", "doer"]);
    expect(kept.run.failure?.code).toBe("gate_rejected");
    const { id } = kept.attempt;
    const names = async (path: `/${string}`) =>
      (await http<Diff>(product, `GET ${path}`)).body.files?.map((file) => file.path);
    expect(await names(`/runs/${kept.run.id}/diff`)).toEqual(["conflict.txt", "fine.txt"]);
    const situation = await http<{ own_edits: unknown }>(product, `GET /attempts/${id}/situation?look=true`);
    expect(situation.body.own_edits).toBe(null);
    await ask(product, ["continue", id, "rm conflict.txt; echo more > more.txt"]);
    expect(await names(`/runs/${kept.run.id}/diff`)).toEqual(["conflict.txt", "fine.txt"]);
    expect(await names(`/attempts/${id}/diff?since=${kept.run.id}`)).toEqual(["conflict.txt", "more.txt"]);
  },
);
