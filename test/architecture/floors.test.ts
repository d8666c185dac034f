import { describe, expect, test } from "bun:test";
import { importsOf, roomOf, type SourceFile, sourceFiles } from "./source-files.ts";

interface Room {
  /** Rooms of ours it may import, by name; a longer entry names one folder of a room. */
  readonly ours: readonly string[];
  /** Packages and built-ins it may import; `node:*` is every built-in. */
  readonly packages: readonly string[] | "any";
}

/** The table of the house: who may import whom. A room may always import itself. */
const ROOMS: Readonly<Record<string, Room>> = {
  utils: { ours: [], packages: ["node:*"] },
  domain: { ours: [], packages: ["neverthrow", "zod", "get-east-asian-width"] },
  contract: { ours: ["domain"], packages: ["zod", "neverthrow", "eventsource-parser"] },
  git: { ours: ["utils", "domain"], packages: ["node:*", "neverthrow"] },
  executors: { ours: ["utils", "domain"], packages: ["node:*", "neverthrow", "zod"] },
  sandbox: { ours: ["utils", "domain"], packages: ["node:*", "neverthrow"] },
  keeper: { ours: ["utils", "domain"], packages: ["node:*", "bun:ffi", "neverthrow", "zod"] },
  guard: { ours: ["utils", "domain"], packages: ["node:*", "neverthrow"] },
  forge: { ours: ["utils", "domain"], packages: ["node:*", "neverthrow", "zod", "@octokit/rest"] },
  identity: { ours: ["domain"], packages: ["neverthrow", "openid-client"] },
  storage: {
    ours: ["domain"],
    packages: ["node:*", "bun:sqlite", "kysely", "pg", "neverthrow", "zod"],
  },
  dispatch: { ours: ["utils", "domain"], packages: ["node:*", "neverthrow", "pg-boss"] },
  effect: { ours: ["utils", "domain"], packages: ["node:*", "neverthrow", "zod"] },
  tools: {
    ours: ["utils", "domain/git-policy", "domain/issue", "domain/read", "domain/text", "effect"],
    packages: ["node:*", "neverthrow", "zod"],
  },
  registry: { ours: ["tools"], packages: [] },
  registory: { ours: ["registry"], packages: [] },
  "lib.ts": { ours: ["tools", "registry", "domain/git-policy"], packages: [] },
  mcp: {
    ours: ["tools", "registry", "domain", "effect", "contract"],
    packages: ["@modelcontextprotocol/server", "neverthrow", "zod"],
  },
  services: {
    ours: [
      "utils",
      "domain",
      "git",
      "executors",
      "sandbox",
      "keeper",
      "guard",
      "forge",
      "identity",
      "storage",
      "dispatch",
      "effect",
    ],
    packages: ["node:*", "neverthrow", "zod"],
  },
  api: { ours: ["contract", "services"], packages: ["hono", "neverthrow"] },
  cli: {
    ours: ["contract"],
    packages: ["@stricli/core", "@clack/prompts", "neverthrow"],
  },
  app: {
    ours: [
      "utils",
      "domain",
      "contract",
      "git",
      "executors",
      "sandbox",
      "keeper",
      "guard",
      "forge",
      "identity",
      "storage",
      "dispatch",
      "effect",
      "services",
      "api",
      "mcp",
      "cli",
      "tools",
      "registry",
    ],
    packages: "any",
  },
  "main.ts": { ours: ["app"], packages: [] },
};

/** Hands never import each other. */
const HANDS = [
  "git",
  "executors",
  "sandbox",
  "forge",
  "identity",
  "storage",
  "dispatch",
  "effect",
  "keeper",
  "guard",
];

function packageAllowed(specifier: string, room: Room): boolean {
  if (room.packages === "any") return true;
  return room.packages.some(
    (allowed) =>
      allowed === specifier ||
      specifier.startsWith(`${allowed}/`) ||
      (allowed === "node:*" && specifier.startsWith("node:")),
  );
}

function ourAllowed(target: string, file: SourceFile, room: Room): boolean {
  const to = roomOf(target);
  if (to === file.room) return true;
  return room.ours.some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

function violations(file: SourceFile): string[] {
  const room = ROOMS[file.room];
  if (!room) return [`${file.path}: the room ${file.room} is not in the table of the house`];
  return file.imports.flatMap(({ specifier, target }) => {
    const allowed = target === null ? packageAllowed(specifier, room) : ourAllowed(target, file, room);
    return allowed ? [] : [`${file.path} imports ${specifier}`];
  });
}

describe("floors", () => {
  const files = sourceFiles();

  test("seed 003 Services and Related files: every import points downwards: executors never import git, journeys call it", () => {
    expect(files.flatMap(violations)).toEqual([]);
  });

  test("no hand imports another hand", () => {
    const crossings = files
      .filter((file) => HANDS.includes(file.room))
      .flatMap((file) =>
        file.imports
          .filter(
            ({ target }) => target !== null && roomOf(target) !== file.room && HANDS.includes(roomOf(target)),
          )
          .map(({ specifier }) => `${file.path} imports ${specifier}`),
      );
    expect(crossings).toEqual([]);
  });

  test("seed 003 Services and Related files: of journeys, doors and hands only `src/git/` and `src/guard/` call git", () => {
    const others = files.filter(
      ({ room }) =>
        [...HANDS, "services", "api", "cli", "mcp"].includes(room) && !["git", "guard"].includes(room),
    );
    const calling = others.filter(({ text }) => /\[\s*["'`]git["'`]\s*,/.test(text));
    expect(calling.map(({ path }) => path)).toEqual([]);
  });

  test("seed 000 §8 and seed 001 §5: only utils/exec.ts starts processes", () => {
    const starters = files
      .filter((file) => file.path !== "utils/exec.ts")
      .filter(
        (file) =>
          file.imports.some(({ specifier }) => /^(node:)?child_process$/.test(specifier)) ||
          /\bBun\.(spawn|spawnSync|\$)/.test(file.text),
      )
      .map((file) => file.path);
    expect(starters).toEqual([]);
  });

  test("only app/, main.ts and the library's own door read the environment", () => {
    const readers = files
      .filter((file) => !["app", "main.ts", "lib.ts"].includes(file.room))
      .filter((file) => /\bprocess\.env\b|\bBun\.env\b/.test(file.text))
      .map((file) => file.path);
    expect(readers).toEqual([]);
  });

  test("the toolkit uses nothing that only Bun has", () => {
    const bound = files
      .filter((file) => ["tools", "registry", "registory", "lib.ts", "effect"].includes(file.room))
      .filter(
        (file) =>
          /\bBun\b/.test(file.text) || file.imports.some(({ specifier }) => specifier.startsWith("bun")),
      )
      .map((file) => file.path);
    expect(bound).toEqual([]);
  });

  test("nothing of the MCP SDK is extended, patched or reached into", () => {
    const bound = files
      .filter((file) => file.room === "mcp")
      .filter((file) =>
        /\bclass \w+ extends\b|\bObject\.assign\(|\.prototype\b|\??\._(?!meta\b)/.test(file.text),
      )
      .map((file) => file.path);
    expect(bound).toEqual([]);
  });

  test("the domain has no clock and no chance", () => {
    const impure = files
      .filter((file) => file.room === "domain" || file.room === "contract")
      .filter((file) => /\bDate\.now\(|new Date\(\)|Math\.random\(|\bBun\./.test(file.text))
      .map((file) => file.path);
    expect(impure).toEqual([]);
  });

  test("no two rooms import each other, directly or around a corner", () => {
    const edges = new Map<string, Set<string>>();
    for (const file of files)
      for (const { target } of file.imports)
        if (target !== null && roomOf(target) !== file.room)
          edges.set(file.room, (edges.get(file.room) ?? new Set()).add(roomOf(target)));
    expect(cycleIn(edges)).toEqual([]);
  });

  test("no two files import each other, directly or around a corner, types included", () => {
    const edges = files.map(
      ({ path, imports }) =>
        [path, new Set(imports.flatMap(({ target }) => (target === null ? [] : [target])))] as const,
    );
    expect(cycleIn(new Map(edges))).toEqual([]);
  });
});

/** One cycle of the graph as a list of its nodes, or an empty list. */
function cycleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of edges.get(node) ?? []) {
      const found = walk(next, [...path, node]);
      if (found.length > 0) return found;
    }
    done.add(node);
    return [];
  };
  for (const node of edges.keys()) {
    const found = walk(node, []);
    if (found.length > 0) return found;
  }
  return [];
}

describe("the reader of imports", () => {
  test("sees value, type-only, side-effect, dynamic and re-exported modules", () => {
    const text = `
      import { a } from "./a.ts";
      import type { B } from "../b.ts";
      import "node:fs";
      export { c } from "./c.ts";
      export * from "./d.ts";
      const e = await import("./e.ts");
      // import "./commented.ts";
    `;
    expect(importsOf("room/file.ts", text).map(({ specifier }) => specifier)).toEqual([
      "./a.ts",
      "../b.ts",
      "node:fs",
      "./c.ts",
      "./d.ts",
      "./e.ts",
    ]);
  });

  test("finds a cycle", () => {
    expect(
      cycleIn(
        new Map([
          ["a", new Set(["b"])],
          ["b", new Set(["c"])],
          ["c", new Set(["a"])],
        ]),
      ),
    ).toEqual(["a", "b", "c", "a"]);
  });
});
