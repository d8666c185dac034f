import { expect, test } from "bun:test";
import fc from "fast-check";
import { removeFromJson, setInJson } from "../../../src/domain/text/json-edit.ts";

const FILE = `{
  "setup": ["npm ci",   "make"],
  "limits": { "parallel": 2 },

  "agents": {
    "a,b\\"}": {}
  }
}
`;

test("one value changes, and every other character stays", () => {
  expect(setInJson(FILE, ["limits", "parallel"], 4)).toBe(FILE.replace("2 }", "4 }"));
  expect(setInJson(FILE, ["limits", "timeout_s"], 60)).toBe(FILE.replace("2 }", '2, "timeout_s": 60 }'));
  expect(setInJson(FILE, ["setup"], [])).toBe(FILE.replace('["npm ci",   "make"]', "[]"));
  expect(setInJson(FILE, ["base"], "main")).toBe(FILE.replace("{}\n  }\n", '{}\n  },\n\n  "base": "main"\n'));
  expect(setInJson(FILE, ["agents", 'a,b"}', "executor"], "codex")).toBe(
    FILE.replace(": {}", ': {\n      "executor": "codex"\n    }'),
  );
  expect(setInJson("{}", ["gate", "rules", "credential"], "report")).toBe(
    '{\n  "gate": { "rules": { "credential": "report" } }\n}',
  );
});

test("whatever the text holds, it means the same afterwards but for the one value", () => {
  const key = fc.constantFrom("a", "b", "c d", '"', "é,:{");
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true }),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(undefined, 2, "\t"),
      (before, path, value, indent) => {
        const text = JSON.stringify(before, null, indent);
        // JSON knows no minus zero.
        const expected = withValue(JSON.parse(text), path, JSON.parse(JSON.stringify(value)));
        expect(JSON.parse(setInJson(text, path, value))).toEqual(expected);
      },
    ),
  );
});

test("one value is taken out with its comma, and every other character stays", () => {
  expect(removeFromJson(FILE, ["limits", "parallel"])).toBe(FILE.replace('{ "parallel": 2 }', "{}"));
  expect(removeFromJson(FILE, ["setup"])).toBe(FILE.replace('"setup": ["npm ci",   "make"],\n  ', ""));
  expect(removeFromJson(FILE, ["agents"])).toBe(`${FILE.slice(0, FILE.indexOf(",\n\n"))}\n}\n`);
  expect(removeFromJson(FILE, ["limits", "cost_usd"])).toBeNull();
  expect(removeFromJson('{"a": 1, "b": 2, "a": 3}', ["a"])).toBe('{"b": 2}');
});

function withValue(before: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const isObject = typeof before === "object" && before !== null && !Array.isArray(before);
  const object: Record<string, unknown> = isObject ? { ...before } : {};
  return { ...object, [first]: withValue(object[first], rest, value) };
}
