/** Tells that an agent finds no way in by Tazuna's own doors: its server, its files, its commands. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { LINUX } from "../../helpers/need.ts";
import { startProduct } from "../../helpers/product.ts";
import { hostileAgents } from "./ground.ts";

setDefaultTimeout(PATIENCE_MS);

const NO_CURL = Bun.which("curl") === null && "no curl";

/** What a port of this machine is called in `/proc/net/tcp`. */
const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");

test.skipIf(LINUX.missing)(`the server listens on this machine alone${LINUX.why} (promise 7.1)`, async () => {
  await using product = await startProduct();
  await product.tazuna(["list"]);
  const { url } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8")) as { url: string };
  const port = hex(Number(new URL(url).port));
  const sockets = await Promise.all(
    ["tcp", "tcp6"].map((kind) => readFile(`/proc/net/${kind}`, "utf8").catch(() => "")),
  );
  const listening = sockets
    .flatMap((text) => text.split("\n").map((line) => line.trim().split(/\s+/)))
    .filter(([, , , state]) => state === "0A");
  expect(listening.flatMap(([, local = ""]) => (local.endsWith(`:${port}`) ? [local] : []))).toEqual([
    `0100007F:${port}`,
  ]);
});

hostileAgents("doors", [
  {
    name: "asking Tazuna's own server for everything, without a token and with made-up ones (promise 7.3)",
    skip: NO_CURL,
    script: async ({ product }) => {
      const { url } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8")) as {
        url: string;
      };
      return `for path in api/v1/tasks api/v1/runs api/v1/attempts api/v1/operations api/v1/events api/v1/trash mcp 'mcp?workspace=/' api/v1/../v1/tasks //api/v1/tasks; do
  for how in 'X-None: 1' 'Authorization: Bearer' 'Authorization: Bearer undefined' 'Authorization: Basic dGF6dW5hOg==' 'Cookie: tazuna_session=x; session=x'; do
    for method in GET POST DELETE; do curl -s -m 5 -o /dev/null -w '%{http_code}\\n' --path-as-is -X $method -H "$how" -H 'Content-Type: application/json' --data '{}' "${url}/$path"; done; done; done | sort | uniq -c > codes.txt`;
    },
    after: async ({ attempt }) => {
      const codes = (await readFile(join(attempt.worktree, "codes.txt"), "utf8")).trim().split("\n");
      expect(
        codes.map((line) => line.trim().split(" ")[1]).filter((code) => !/^(40[134]|429)$/.test(code ?? "")),
      ).toEqual([]);
    },
  },
  {
    name: "writing into the folders of other runs",
    script: `for dir in "$data"/runs/*; do [ "$dir" = "$data/runs/$TAZUNA_RUN" ] || for f in exit.json keeper.json spec.json in.jsonl stop out.jsonl launch.json; do echo '{"code":1}garbage' > "$dir/$f"; done; done 2>/dev/null; true`,
    after: async (_, { product }) => {
      const { tasks } = (await product.tazuna(["list", "--all", "--json"])).json<{
        tasks: readonly { attempts: readonly { runs: readonly { status: string }[] }[] }[];
      }>();
      const states = tasks.flatMap(({ attempts }) =>
        attempts.flatMap(({ runs }) => runs.map(({ status }) => status)),
      );
      expect(new Set(states)).toEqual(new Set(["SUCCEEDED"]));
    },
  },
  {
    name: "replacing the address of the server",
    script: `echo '{"url":"http://127.0.0.1:1","token":"x","pid":1,"start_time":"x","version":"0"}' > "$data/server.json" 2>/dev/null; true`,
  },
  {
    name: "damaging its own records while it works",
    ends: { sandbox: "pushed", guard: ["pushed", "interrupted", "internal"] },
    script: `for f in exit.json keeper.json spec.json launch.json out.jsonl in.jsonl; do echo garbage > "$data/runs/$TAZUNA_RUN/$f" || true; done 2>/dev/null; sleep 0.2`,
  },
  {
    name: "a `tazuna` and a shell of its own in front of the PATH",
    script: `mkdir bin; for n in tazuna git sh bash node bun env; do printf '#!/bin/sh\\ntouch "$outside/owned"\\n' > bin/$n; chmod +x bin/$n; done; export PATH="$PWD/bin:$PATH"; printf 'PATH=%s\\n' "$PATH" > .env.txt`,
  },
  {
    name: "calling Tazuna's own tools on the neighbour's worktree, as an agent that is held",
    skip: false,
    script: `[ "$TAZUNA_SANDBOX" ] || exit 0; T='${join(import.meta.dir, "../../../bin/tazuna")}'; TAZUNA_ATTEMPT= "$T" tool exec_command '{"command":["sh","-c","echo x > planted.txt"]}' --workspace "$neighbour"; "$T" cancel all; "$T" trash empty --yes; "$T" serve --port 0 --idle-exit 1; true`,
  },
]);
