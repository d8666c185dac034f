import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { which } from "bun";
import PACKAGE from "../../package.json" with { type: "json" };
import { ToolCatalog } from "../../src/tools/catalog.ts";
import type { Tool } from "../../src/tools/core/tool.ts";
import { exec } from "../../src/utils/exec.ts";
import { identify } from "../../src/utils/programs/process-identity.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import {
  type InstalledLibrary,
  installedLibrary,
  LIBRARY_PACKAGES,
  NO_NPM,
  run,
} from "../helpers/installed-library.ts";
import { libraryNode } from "../helpers/library-node.ts";
import { LINUX } from "../helpers/need.ts";
import { program, taggedEnv } from "../helpers/programs.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { moduleGraph } from "./module-graph.ts";

/** Without a person to ask, and without a rule for commands. */
const LISTED = Object.keys(ToolCatalog).filter((name) => !["exec_command", "ask_person"].includes(name));

// Builds, packs and type-checks, on a busy machine.
setDefaultTimeout(240_000);

const ROOT = resolve(import.meta.dir, "../..");
const node = libraryNode();
const skipped = NO_NPM === null ? "" : ` [skipped: ${NO_NPM}]`;

/** Each runtime that the library promises. */
const RUNTIMES = [
  { name: "Bun", binary: process.execPath, skip: null },
  { name: `Node ${PACKAGE.engines.node.slice(2)}`, ...node },
];

/** The others need more packages than the toolkit. */
const isOfTheToolkit = (door: string) => !["tazuna/mcp", "tazuna/contract"].includes(door);

describe.skipIf(NO_NPM !== null)(deep(`the package as it would be published${skipped}`), () => {
  let library: InstalledLibrary;
  beforeAll(async () => {
    library = await installedLibrary();
  });
  afterAll(() => library?.[Symbol.asyncDispose]());

  /** Runs a program that imports the package, to its end: it is not stopped, so nothing may be left running. */
  async function runProgram([binary, folder]: readonly [string, string], text: string): Promise<unknown> {
    const path = join(folder, `program-${Bun.hash(text)}.mjs`);
    await writeFile(path, text);
    return JSON.parse(await run([binary, path], folder));
  }

  test("has a module and types for each door that it offers", () => {
    const offered = Object.values(PACKAGE.exports).flatMap((door) => Object.values(door));
    expect(offered.filter((path) => !library.files.includes(path.slice(2)))).toEqual([]);
  });

  test("holds what is offered, and nothing that only we need", () => {
    const tops = new Set(library.files.map((path) => path.split("/")[0]));
    expect([...tops].sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "package.json", "src"]);
    expect(library.files).toContain("dist/web/index.html");
  });

  test("its root and its definitions are made of the toolkit alone: no server, no database, no MCP", () => {
    for (const door of ["lib", "registry/definitions", "registory/definitions"]) {
      const { files, packages } = moduleGraph(join(library.home, "dist"), `${door}.js`);
      const rooms = new Set(files.map((path) => path.split("/")[0] ?? ""));
      const allowed = ["lib.js", "tools", "registry", "registory", "effect", "domain", "utils"];
      expect({ door, strange: [...rooms].filter((room) => !allowed.includes(room)) }).toEqual({
        door,
        strange: [],
      });
      const domain = files
        .filter((path) => path.startsWith("domain/"))
        .map((path) => path.split("/")[1] ?? "");
      expect(domain.filter((room) => !["git-policy", "issue", "read", "text"].includes(room))).toEqual([]);
      const strange = packages.filter((name) => !name.startsWith("node:"));
      expect(strange.filter((name) => !(LIBRARY_PACKAGES as readonly string[]).includes(name))).toEqual([]);
    }
  });

  for (const { name, binary, skip } of RUNTIMES)
    test.skipIf(skip !== null)(
      `on ${name} each door is imported, starts nothing, and the program ends by itself${skip === null ? "" : ` [skipped: ${skip}]`}`,
      async () => {
        const doors = Object.keys(PACKAGE.exports).map((door) => door.replace(/^\./, "tazuna"));
        for (const door of doors) {
          const found = await runProgram(
            [binary ?? "", isOfTheToolkit(door) ? library.folder : library.fullFolder],
            `
            import { readdirSync, readFileSync } from "node:fs";
            // Node's own module for this opens the standard output.
            import "node:util";
            const before = process.getActiveResourcesInfo();
            const module = await import(${JSON.stringify(door)});
            const resources = process.getActiveResourcesInfo().filter((one) => !before.includes(one));
            const tasks = "/proc/self/task/";
            const childrenOf = (id) => readFileSync(tasks + id + "/children", "utf8").split(" ").filter(Boolean);
            const children = process.platform === "linux" ? readdirSync(tasks).flatMap(childrenOf) : [];
            console.log(JSON.stringify({ exported: Object.keys(module).length > 0, resources, children }));
            `,
          );
          expect({ door, found }).toEqual({ door, found: { exported: true, resources: [], children: [] } });
        }
      },
    );

  test("the seeds' spelling of the registry gives the same definitions", async () => {
    const same = await runProgram(
      [process.execPath, library.folder],
      `
      import * as ours from "tazuna/definitions";
      import * as seeds from "tazuna/registory/definitions";
      import { TOOL_DEFINITIONS } from "tazuna";
      console.log(ours.TOOL_DEFINITIONS === seeds.TOOL_DEFINITIONS && ours.TOOL_DEFINITIONS === TOOL_DEFINITIONS);
      `,
    );
    expect(same).toBe(true);
  });

  test("publint and are-the-types-wrong find nothing to say", async () => {
    const bin = (name: string) => join(ROOT, "node_modules/.bin", name);
    const published = await run([bin("publint"), "--strict", "--pack=false", library.home], library.folder);
    expect(published).toContain("All good!");
    const attw = await run(
      [bin("attw"), library.tarball, "--profile", "esm-only", "--format", "ascii"],
      library.folder,
    );
    expect(attw).not.toContain("❌");
  });

  test("the examples type-check against the published types, in the strictest settings and without the types of Bun", async () => {
    const folder = library.fullFolder;
    await cp(join(ROOT, "examples"), join(folder, "checked"), { recursive: true });
    const compilerOptions = {
      ...{ target: "ES2023", module: "NodeNext", strict: true, exactOptionalPropertyTypes: true },
      ...{ noUncheckedIndexedAccess: true, skipLibCheck: false, types: ["node"], noEmit: true },
    };
    const config = join(folder, "tsconfig.json");
    await writeFile(config, JSON.stringify({ compilerOptions, include: ["checked"] }));
    expect(await run([join(ROOT, "node_modules/.bin/tsc"), "-p", config], folder)).toBe("");
  });

  for (const { name, binary, skip } of RUNTIMES)
    describe.skipIf(skip !== null)(
      `the examples on ${name}${skip === null ? "" : ` [skipped: ${skip}]`}`,
      () => {
        /** A copy of them for programs of this folder. */
        async function example(folder: string, file: string): Promise<readonly [string, string]> {
          const home = join(folder, `examples-${name.slice(0, 4)}`);
          await cp(join(ROOT, "examples"), home, { recursive: true });
          return [binary ?? "", join(home, file)];
        }

        test("those of the library run with what the library needs, and nothing else installed", async () => {
          await using git = await gitSandbox();
          const repository = await git.repository("repo");
          const said = async (file: string) =>
            run(await example(library.folder, file), repository, { ...git.env });
          expect(await said("toolkit.ts")).toStartWith("on main\nexit code 0\n");
          expect(await said("own-tool.ts")).toBe("success\ndenied\nfailure\n");
          const judged = (await said("git-policy.ts")).trim().split("\n");
          expect(judged.map((line) => /^git (\w+: \w+)/.exec(line)?.[1])).toEqual([
            ...["log: allowed", "commit: allowed"],
            ...["push: DESTRUCTIVE_BLOCKED", "config: SUBCOMMAND_NOT_ALLOWED"],
          ]);
        });

        test("the MCP server answers a client, and ends when that goes", async () => {
          await using git = await gitSandbox();
          const repository = await git.repository("repo");
          const [command, script] = await example(library.fullFolder, "mcp-server.ts");
          const transport = new StdioClientTransport({
            ...{ command, args: [script, repository], env: { ...git.env }, stderr: "inherit" },
          });
          const client = new Client({ name: "test", version: "1" });
          await client.connect(transport);
          const { tools } = await client.listTools();
          const answer = await client.callTool({ name: "git_status_summary", arguments: {} });
          const { pid } = transport;
          await client.close();
          expect(tools.map((tool) => tool.name)).toEqual(LISTED);
          expect(answer.structuredContent).toEqual({
            repository_root: repository,
            branch: "main",
            raw: "## main\n",
          });
          await waitFor("the end of the server", async () => (await identify(pid ?? 0)) === null);
        });
      },
    );

  describe("its command line", () => {
    const tazuna = () => join(library.fullFolder, "node_modules/tazuna/bin/tazuna");
    /** Folders with the programs that a shell script needs, and Bun or not. */
    async function path(programs: readonly string[]): Promise<string> {
      const folder = join(library.fullFolder, `path-${programs.length}`);
      await mkdir(folder, { recursive: true });
      for (const name of programs)
        await symlink(name === "bun" ? process.execPath : (which(name) ?? name), join(folder, name));
      return folder;
    }

    test("runs on the Bun that is there, and answers as the library does", async () => {
      await using git = await gitSandbox();
      const repository = await git.repository("repo");
      const PATH = await path(["sh", "dirname", "readlink", "bun", "git"]);
      const said = await run([tazuna(), "tool", "git_status_summary", "{}"], repository, {
        ...git.env,
        PATH,
      });
      expect(JSON.parse(said)).toEqual({ repository_root: repository, branch: "main", raw: "## main\n" });
    });

    test("says what is missing if there is no Bun", async () => {
      const PATH = await path(["sh", "dirname", "readlink"]);
      const end = await exec([tazuna(), "list"], { cwd: library.fullFolder, env: { PATH } });
      expect(end).toMatchObject({
        ...{ code: 1, stdout: "" },
        stderr:
          "tazuna: The command line runs on Bun, and there is none: install it (npm install --global bun), then try again.\n",
      });
    });
  });

  test.skipIf(node.skip !== null || LINUX.missing)(
    `every tool answers the same on Bun and on Node, and leaves no process on either${node.skip === null ? "" : ` [skipped: ${node.skip}]`}`,
    async () => {
      const [onBun, onNode] = [await answersOn(process.execPath), await answersOn(node.binary ?? "")];
      expect(onNode.answers).toEqual(onBun.answers);
      expect(onNode.left).toEqual([]);
      expect(onBun.left).toEqual([]);
      expect(onBun.answers).toMatchObject({
        definitions: LISTED,
        touched: false,
        "exec_command: usual": { status: "success", data: { exit_code: 3, stdout: "héllo", stderr: "é\n" } },
        "git_status_summary: usual": { status: "success", data: { branch: "main" } },
        "no tool": { status: "failure", error: { code: "TOOL_NOT_FOUND" } },
        fraction: { status: "failure", error: { code: "INVALID_ARGUMENT" } },
        outside: { status: "denied", reason: "sandbox", error: { code: "OUTSIDE_WORKSPACE" } },
        "through a link": { status: "denied", reason: "sandbox", error: { code: "OUTSIDE_WORKSPACE" } },
        "no folder": { status: "failure", error: { code: "NOT_DIRECTORY" } },
        "no program": { status: "failure", error: { code: "COMMAND_NOT_FOUND" } },
        cut: { status: "success", data: { stdout_truncated: true } },
        background: {
          status: "success",
          data: { stdout: "left\n", timed_out: false },
          meta: { stopped_background: 1 },
        },
        "time over": { status: "success", data: { exit_code: 124, timed_out: true, stdout: "started\n" } },
        canceled: { status: "failure", error: { code: "CANCELED" } },
        denied: { status: "denied", error: { code: "POLICY_DENIED" } },
        "read-only": { status: "denied", error: { code: "READ_ONLY" } },
        "read-only status": { status: "success" },
        "status without git": {
          status: "failure",
          error: { code: "INTERNAL", message: "git is not on PATH." },
        },
        "search without ripgrep": { status: "success", data: { total_matches: 1 } },
      });
      const unlike = onBun.worked.filter(([name, answer]) => !isItsOutput(name, answer));
      expect(unlike).toEqual([]);
      for (const name of Object.keys(ToolCatalog))
        for (const wrong of ["unknown key", "no object", "null"])
          expect(onBun.answers).toMatchObject({
            [`${name}: ${wrong}`]: { error: { code: "INVALID_ARGUMENT" } },
          });
    },
  );

  /** What the library answers on one runtime, in the same repository each time, and the processes that it left. */
  async function answersOn(binary: string) {
    await using git = await gitSandbox();
    await using tagged = taggedEnv();
    const repository = await git.repository("repo");
    await symlink("/", join(repository, "out"));
    await writeFile(join(repository, "README.md"), "# Changed\n");
    const script = join(library.folder, "conformance.mjs");
    await cp(program("toolkit-conformance.mjs"), script);
    const text = await run([binary, script, repository], repository, { ...git.env, ...tagged.env });
    const raw = JSON.parse(text) as Record<string, unknown> & { readonly worked: readonly string[] };
    const answers: Record<string, unknown> = JSON.parse(text.replaceAll(git.root, "ROOT"), steady);
    const worked = raw.worked.map((name) => [name, raw[`${name}: usual`]] as const);
    return { answers, worked, left: await tagged.left() };
  }
});

/** Times, sizes of the moment and numbers of processes are not the same twice. */
const UNSTEADY = /^(duration_ms|pid|port|\w+_at|\w+At|commit|hash|oid|date)$/;
const steady = (key: string, value: unknown) => (UNSTEADY.test(key) ? typeof value : value);

/** Whether a tool did its work, and answered as its schema says. */
function isItsOutput(name: string, answer: unknown): boolean {
  const tool = new Map(Object.entries<Tool>(ToolCatalog)).get(name);
  const { status, data } = answer as { readonly status: string; readonly data: unknown };
  return status === "success" && tool?.output.safeParse(data).success === true;
}
