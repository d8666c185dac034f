import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTail } from "../../src/services/confinement/tail.ts";

const TOKEN = "ghp_0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h";
const VALUE = "correct horse battery staple";

test("the end of what was printed holds no secret, however it came in pieces and wherever it was cut", () => {
  const filler = fc.string({ maxLength: 3000, unit: fc.constantFrom("a", " ", "\n", "é") });
  const part = fc.oneof(
    filler,
    fc.constantFrom(TOKEN, VALUE).map((secret) => ` ${secret} `),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.integer({ min: 1, max: 5000 }), (parts, size) => {
      const tail = createTail({ chars: 1000, values: [VALUE] });
      const all = parts.join("");
      for (let at = 0; at < all.length; at += size) tail.push(all.slice(at, at + size));
      const clean = all.replaceAll(TOKEN, "[redacted]").replaceAll(VALUE, "[redacted]");
      expect(clean.endsWith(tail.text())).toBe(true);
      expect(tail.text().length).toBeLessThanOrEqual(1000);
      if (all.length <= 1000) expect(tail.text()).toBe(clean);
    }),
  );
});

test("half a secret in front of the cut is not kept", () => {
  const tail = createTail({ chars: 100, values: [VALUE] });
  tail.push(VALUE.repeat(1000));
  expect(tail.text()).not.toMatch(/correct|horse|battery|staple/);
});
