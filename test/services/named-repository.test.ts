import { expect, test } from "bun:test";
import type { Repository } from "../../src/domain/repository/repository.ts";
import { namedRepository } from "../../src/services/repositories/named-repository.ts";

const repository = (id: string, name: string): Repository => ({
  id,
  name,
  path: `/code/${name}`,
  commonDir: `/code/${name}/.git`,
  bare: false,
  url: null,
  address: null,
  createdAt: "2026-01-02T03:04:05.000Z",
});
const all = [
  repository("aa11", "shop"),
  repository("aa22", "till"),
  repository("bb33", "aa11"),
  repository("cc44", "till"),
];
const found = (text: string) => namedRepository(all, text).map(({ id }) => id);

test("a repository is found by its id, its name, or the beginning of its id, in this order", () => {
  expect(found("shop")._unsafeUnwrap()).toBe("aa11");
  expect(found("aa11")._unsafeUnwrap()).toBe("aa11");
  expect(found("bb")._unsafeUnwrap()).toBe("bb33");
});

test("several that fit are named, and what fits none is not found", () => {
  const error = found("till")._unsafeUnwrapErr();
  expect([error.code, error.message]).toEqual([
    "ambiguous_id",
    '"till" fits several repositories: aa22 (/code/till), cc44 (/code/till).',
  ]);
  for (const text of ["", "sho", "zz"]) expect(found(text)._unsafeUnwrapErr().code).toBe("not_found");
});
