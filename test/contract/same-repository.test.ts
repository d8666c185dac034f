/** Joins the repositories of several workers by their addresses. */
import { expect, test } from "bun:test";
import { joinedByAddress } from "../../src/contract/same-repository.ts";

const SHOP = "https://git.example.com/us/shop";
const one = (id: string, address: string | null, name: string | null = null) => ({
  id,
  address,
  worker: name === null ? null : { name },
});
const joined = (...all: readonly ReturnType<typeof one>[]) =>
  joinedByAddress(all).map(({ repository: { id }, workers }) => [id, ...workers]);

test("a repository of several workers is one, however its address is spelled", () => {
  expect(joined(one("a", SHOP, "ci-2"), one("b", `${SHOP}.git`), one("c", `${SHOP}/`, "mac-7"))).toEqual([
    ["b", "ci-2", "mac-7"],
  ]);
  expect(joined(one("a", SHOP, "ci-2"), one("b", SHOP, "mac-7"), one("c", SHOP, "ci-2"))).toEqual([
    ["a", "ci-2", "mac-7"],
  ]);
});

test("two of this worker stay apart, and so does what has no address or another one", () => {
  expect(joined(one("a", SHOP), one("b", SHOP), one("c", SHOP, "ci-2"))).toEqual([["a", "ci-2"], ["b"]]);
  expect(joined(one("a", null), one("b", null, "ci-2"), one("c", null, "ci-2"))).toEqual([
    ["a"],
    ["b", "ci-2"],
    ["c", "ci-2"],
  ]);
  const other = "https://git.example.com/us/till";
  expect(joined(one("a", SHOP), one("b", other, "ci-2"))).toEqual([["a"], ["b", "ci-2"]]);
});
