import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import fc from "fast-check";
import { z } from "zod";
import { ToolCatalog } from "../../../src/tools/catalog.ts";
import { createSecureTool } from "../../../src/tools/core/secure-tool.ts";
import { defineTool, type Tool } from "../../../src/tools/core/tool.ts";
import { deep } from "../../helpers/tier.ts";
import { toolkitIn } from "../toolkit-in.ts";
import { contextIn, probing } from "./probe-tool.ts";

// Many calls each, on a busy machine.
setDefaultTimeout(240_000);

const refusal = {
  message: z.string().min(1).max(20_000),
  error: z.strictObject({
    code: z.string().regex(/^[A-Z][A-Z_]+$/),
    message: z.string().min(1).max(20_000),
    retriable: z.boolean(),
    details: z.record(z.string(), z.unknown()),
  }),
};
/** Every answer that a caller may ever get, and nothing beside it. */
const envelope = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("success"),
    data: z.unknown(),
    meta: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({ status: z.literal("denied"), reason: z.enum(["policy", "sandbox"]), ...refusal }),
  z.strictObject({ status: z.literal("failure"), reason: z.literal("runtime"), ...refusal }),
]);

/** The code of an answer that has the one form, and survives the way over a wire. */
function codeIn(answer: unknown): string {
  const checked = envelope.parse(answer);
  expect(envelope.safeParse(JSON.parse(JSON.stringify(answer))).success).toBe(true);
  if (checked.status === "success") return "success";
  expect(checked.error.message).toBe(checked.message);
  return checked.error.code;
}

const TOOLS = Object.entries<Tool>(ToolCatalog);
const NAMES = TOOLS.map(([name]) => name);
/** What every object has without being asked. */
const INHERITED = [
  "__proto__",
  "constructor",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "then",
];

const trap = () => {
  throw new Error("trapped");
};
const TRAPS = [
  "get",
  "has",
  "ownKeys",
  "getPrototypeOf",
  "getOwnPropertyDescriptor",
  "isExtensible",
] as const;

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cyclic(): object {
  const one: Record<string, unknown> = { cwd: "." };
  one.self = one;
  one.command = [one];
  return one;
}

/** Everything that a program can hand over and no JSON can say. */
const unspeakable = fc.constantFrom<() => unknown>(
  ...TRAPS.map((name) => () => new Proxy({ cwd: "." }, { [name]: trap })),
  () => new Proxy({}, Object.fromEntries(TRAPS.map((name) => [name, trap]))),
  () => Object.defineProperty({}, "cwd", { enumerable: true, get: trap }),
  () => ({ toString: trap, valueOf: trap, [Symbol.toPrimitive]: trap, toJSON: trap }),
  () => ({ cwd: { toString: trap } }),
  () => ({
    cwd: ".",
    get command() {
      return trap();
    },
  }),
  () => ({ path: new Proxy([], { get: trap }) }),
  () => JSON.parse('{"__proto__":{"cwd":"."},"constructor":{"prototype":{"polluted":true}}}'),
  () => Object.create({ cwd: ".." }),
  () =>
    new (class Arguments {
      cwd = ".";
    })(),
  () => Array.from({ length: 3 }, () => "x"),
  () => new Map([["cwd", "."]]),
  () => Promise.resolve({ cwd: "." }),
  () => ({ cwd: 1n, path: Symbol("path"), [Symbol("cwd")]: 1 }),
  () => Symbol("args"),
  () => 1n,
  () => trap,
  cyclic,
  revoked,
);

/** Made only when it is handed over: the generator looks at its values, and these throw at a look. */
type Make = () => unknown;

const anything: fc.Arbitrary<Make> = fc.oneof(
  fc
    .anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
    })
    .map((value) => () => value),
  unspeakable,
);

const plain = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Make> => values.map((value) => () => value);

const anyName = fc.oneof(
  plain(fc.constantFrom(...NAMES, ...INHERITED)),
  plain(fc.string({ unit: "binary" })),
  anything,
);

/** An object of values that are made when it is. */
const objectOf = (keys: readonly string[], value: fc.Arbitrary<Make>): fc.Arbitrary<Make> =>
  fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 6 })
    .map((entries) => () => Object.fromEntries(entries.map(([key, make]) => [key, make()])));

/** What is wrong with a name or a path, in all the ways that are known. */
const anyPath = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    ...[
      "..",
      "../outside/secret",
      "/etc/passwd",
      "C:\\work",
      "\\\\host\\share",
      "a\0b",
      "",
      " ",
      ".",
      "./.",
      "..foo",
      "link",
      "link/secret",
    ],
    ...[
      "~",
      "%2e%2e/outside",
      "x/".repeat(3000),
      "a".repeat(5000),
      "file:///etc/passwd",
      "/proc/self/environ",
      "/dev/zero",
      "\ud800",
    ],
    ...INHERITED,
  ),
);

describe("whatever is handed to invoke", () => {
  test("the answer is the one envelope: any name, any arguments, any options", async () => {
    await using bench = await toolkitIn({ "src/a.ts": "a\n" });
    const invoke = bench.toolkit.invoke as (...all: unknown[]) => Promise<unknown>;
    await fc.assert(
      fc.asyncProperty(
        anyName,
        anything,
        fc.oneof(plain(fc.constant(undefined)), anything),
        async (name, args, options) => {
          codeIn(await invoke(name(), args(), options()));
        },
      ),
      { numRuns: 1500 },
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await readFile(join(bench.outside, "secret"), "utf8")).toBe("secret\n");
  });

  test("what every object inherits is no tool", async () => {
    await using bench = await toolkitIn();
    for (const name of [...INHERITED, "exec_command ", "EXEC_COMMAND", "execCommand", "", "0"])
      expect(codeIn(await bench.invoke(name, {}))).toBe("TOOL_NOT_FOUND");
    for (const name of [undefined, null, 7, {}, ["exec_command"], Symbol("exec_command")])
      expect(codeIn(await bench.invoke(name as string, {}))).toBe("TOOL_NOT_FOUND");
  });

  test("what every object inherits is no argument, and one that is called like that is refused", async () => {
    await using bench = await toolkitIn();
    for (const [name] of TOOLS)
      for (const key of INHERITED) {
        const args = JSON.parse(`{${JSON.stringify(key)}:{"cwd":".","path":"."}}`);
        expect([name, key, codeIn(await bench.invoke(name, args))]).toEqual([name, key, "INVALID_ARGUMENT"]);
      }
  });

  test(deep("of a huge input a short message comes back, soon"), async () => {
    await using bench = await toolkitIn();
    const long = "x".repeat(20_000_000);
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n]));
    const calls: readonly (readonly [string, unknown])[] = [
      [long, {}],
      ...TOOLS.flatMap(([name]) =>
        [{ [long]: 1 }, { cwd: long }, { path: long }, { cwd: deep, path: deep }, many].map(
          (args) => [name, args] as const,
        ),
      ),
      ["exec_command", { cwd: ".", command: Array(200_000).fill(7) }],
      ["exec_command", { cwd: long, command: ["true"] }],
      ["define_issue", { issue: long, context: long, constraints: long }],
    ];
    for (const [name, args] of calls) {
      const answer = await bench.invoke(name, args);
      expect(codeIn(answer)).not.toBe("success");
      expect(JSON.stringify(answer).length).toBeLessThan(20_000);
    }
  });
});

/** What JSON Schema says of one argument, as far as it is asked here. */
interface Described {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
}

/** Values of the right type, and as strange as that type lets them be. No program of these names exists, so nothing is run. */
function strange(described: Described, name: string): fc.Arbitrary<unknown> {
  const { enum: choices, anyOf, type, items = {} } = described;
  if (choices !== undefined) return fc.constantFrom(...choices);
  if ("const" in described) return fc.constant(described.const);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => strange(one, name)));
  if (name === "command")
    return fc.array(
      anyPath.map((path) => `/nowhere/${path}`),
      { maxLength: 3 },
    );
  if (type === "array") return fc.array(strange(items, ""), { maxLength: 4 });
  if (type === "object") return strangeObject(described);
  if (type === "boolean") return fc.boolean();
  if (type === "integer" || type === "number")
    return fc.integer({
      min: Math.max(described.minimum ?? -1, -1000),
      max: Math.min(described.maximum ?? 1000, 10_000),
    });
  return type === "string" ? fc.oneof(anyPath, fc.constantFrom(...WORDS)) : fc.jsonValue();
}

function strangeObject({ properties = {}, required = [] }: Described): fc.Arbitrary<object> {
  const values = Object.entries(properties).map(([key, one]) => [key, strange(one, key)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [...required] });
}

/** What no argument can spell by chance. */
const SECRET = "only-read-outside-5711";

const WORDS = [
  ...[
    "src",
    "src/a.ts",
    "src/a.ts/b",
    "loop",
    "pipe",
    "HEAD",
    "-p",
    "--",
    "--stat",
    "-rf",
    "*",
    "status",
    "log",
    "diff",
  ],
  ...["--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n", "a\nb", "con", "NUL", "x".repeat(300)],
];

describe("whatever an agent sends for a tool's own arguments", () => {
  for (const [name, tool] of TOOLS)
    test(`${name} answers with the one envelope, never INTERNAL, and with data as it promises; nothing outside is read or written`, async () => {
      await using bench = await toolkitIn({ "src/a.ts": "a\n" });
      await symlink("../outside", join(bench.root, "link"));
      await symlink("loop", join(bench.root, "loop"));
      await writeFile(join(bench.outside, "secret"), `${SECRET}\n`);
      await $`mkfifo ${join(bench.root, "pipe")} && git init -q ${bench.root}`.quiet();
      const schema = z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" }) as Described;
      const rightTypes = strangeObject(schema);
      const keys = Object.keys(schema.properties ?? {});
      const anyTypes = fc.dictionary(fc.constantFrom(...keys, "other"), fc.jsonValue());
      const args = fc.oneof({ weight: 5, arbitrary: rightTypes }, { weight: 1, arbitrary: anyTypes });
      await fc.assert(
        fc.asyncProperty(args, async (given) => {
          const answer = await bench.invoke(name, given);
          expect(codeIn(answer)).not.toBe("INTERNAL");
          if (answer.status === "success") tool.output.parse(answer.data);
          expect(JSON.stringify(answer)).not.toContain(SECRET);
        }),
        // zod's own `min` and `max` threw for these.
        { numRuns: 150, examples: keys.map((key): [object] => [{ [key]: { length: {} } }]) },
      );
      expect(await readdir(bench.outside)).toEqual(["secret"]);
      expect(await readFile(join(bench.outside, "secret"), "utf8")).toBe(`${SECRET}\n`);
    });
});

describe("what stands in front of a tool", () => {
  test("reads each argument once: one that changes its mind is judged by what is used", async () => {
    await using bench = await toolkitIn({ "src/a.ts": "" });
    const { tool, calls } = probing();
    const secure = createSecureTool(tool, contextIn(bench.root));
    const turncoat = (...values: readonly unknown[]) => {
      let read = 0;
      return Object.defineProperty({}, "cwd", {
        enumerable: true,
        get: () => values[Math.min(read++, values.length - 1)],
      });
    };
    for (const args of [
      turncoat("src", "../outside"),
      turncoat("src", "src", "../outside"),
      turncoat("../outside", "src"),
      turncoat(".", 7),
    ])
      codeIn(await secure(args));
    for (const { input, call } of calls) {
      const real = call.paths.cwd ?? "";
      expect(real === bench.root || real.startsWith(`${bench.root}/`)).toBe(true);
      expect(["src", "."]).toContain(input.cwd ?? "nothing");
    }
  });

  test("hands a tool only what its schema lets pass, whatever came", async () => {
    await using bench = await toolkitIn({ "src/a.ts": "" });
    const { tool, calls } = probing();
    const secure = createSecureTool(tool, contextIn(bench.root));
    const value = fc.oneof(plain(anyPath), plain(fc.integer({ min: -1, max: 5 })), anything);
    const args = fc.oneof(objectOf(["cwd", "times", "other", "__proto__"], value), anything);
    await fc.assert(
      fc.asyncProperty(args, async (given) => {
        calls.length = 0;
        const code = codeIn(await secure(given()));
        expect(calls.length).toBe(code === "success" ? 1 : 0);
        for (const { input } of calls) expect(tool.input.safeParse(input).success).toBe(true);
        for (const { input } of calls) expect(Object.getPrototypeOf(input)).toBe(null);
      }),
      { numRuns: 1500 },
    );
  });

  test("an error that quotes all that it was about is cut", async () => {
    await using bench = await toolkitIn();
    const { tool } = probing(() => Promise.reject(new Error("x".repeat(1_000_000))));
    const answer = await createSecureTool(tool, contextIn(bench.root))({});
    expect(codeIn(answer)).toBe("INTERNAL");
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  });

  test("no tool is allowed by what a policy inherits, whatever it is called", async () => {
    await using bench = await toolkitIn();
    for (const name of INHERITED) {
      const { tool } = probing();
      const named = defineTool({ ...tool, definition: { ...tool.definition, name } });
      const context = contextIn(bench.root, { policy: { defaultPolicy: "deny", tools: {} } });
      expect(codeIn(await createSecureTool(named, context)({}))).toBe("POLICY_DENIED");
    }
  });

  test("hundreds of calls at once each get their own answer", async () => {
    await using bench = await toolkitIn({ "src/a.ts": "" });
    const { tool } = probing();
    const secure = createSecureTool(tool, contextIn(bench.root));
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        secure(n % 3 === 0 ? { cwd: "src" } : n % 3 === 1 ? { x: n } : { cwd: ".." }),
      ),
    );
    const wanted = ["success", "INVALID_ARGUMENT", "OUTSIDE_WORKSPACE"];
    expect(answers.map(codeIn)).toEqual(answers.map((_, n) => wanted[n % 3] ?? ""));
  });
});
