/** Says which clones count as one repository for the limits. */
import { expect, test } from "bun:test";
import { repositoryKey } from "../../../src/domain/repository/repository-key.ts";

const clone = { commonDir: "/r/.git", address: "https://host/us/shop.git" };

test("on a Postgres clones of one address are one repository, and paths are those of their worker", () => {
  const other = { commonDir: "/other/.git", address: "https://host/us/shop" };
  expect(repositoryKey(clone, "a")).toBe(repositoryKey(other, "b"));
  expect(repositoryKey(clone, null)).not.toBe(repositoryKey(other, null));
  const path = { ...clone, address: null };
  expect(repositoryKey(path, "a")).not.toBe(repositoryKey(path, "b"));
  expect(repositoryKey(path, null)).toBe("/r/.git");
});
