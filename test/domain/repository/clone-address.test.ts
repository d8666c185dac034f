/** Tells which addresses are cloned, which mean the same repository, and that no refusal names a secret. */
import { describe, expect, test } from "bun:test";
import {
  keyOfAddress,
  looksLikeAddress,
  readCloneAddress,
} from "../../../src/domain/repository/clone-address.ts";

describe("the address of a clone", () => {
  const SAME = [
    ["https://Git.Example.com/a/b.git", "https://git.example.com/a/b/", "https://me@git.example.com:443/a/b"],
    ["ssh://git@host.example/a/b", "ssh://HOST.example:22/a/b.git", "git@host.example:/a/b"],
    ["git@host.example:a/b", "git@host.example:a/b.git", "git@HOST.example:a/b/"],
    ["http://127.0.0.1:80/x", "http://127.0.0.1/x.git"],
  ] as const;
  for (const spelled of SAME)
    test(`${spelled[0]} means one repository, however it is spelled`, () => {
      const keys = spelled.map((one) => keyOfAddress(one));
      expect(keys).toEqual(spelled.map(() => keys[0] ?? "none"));
    });

  test.each([
    ["https://host/a", "https://host/A"],
    ["https://host/a", "ssh://host/a"],
    ["https://host/a", "https://host:8443/a"],
    ["una@host.example:a", "otto@host.example:a"],
    ["git@host.example:a", "ssh://git@host.example/a"],
  ])("%p and %p are two repositories", (one, other) => {
    expect(keyOfAddress(one)).not.toBe(keyOfAddress(other));
    expect([one, other].map((each) => readCloneAddress(each).isOk())).toEqual([true, true]);
  });

  test.each([
    "https://una:s3cret-word@host/a",
    "https://ghp_s3cret-word-0123456789@host/a",
    "https://host/a?access_token=s3cret-word",
    "ssh://una:s3cret-word@host/a",
    "http://example.com/a",
    "git://host/a",
    "file:///srv/a",
    "ext::sh -c s3cret-word",
    "ext::sh",
    "ftp://host/a",
    "-uhttps://host/a",
    "ssh://-oProxyCommand=x/a",
    "-oProxyCommand=x:a",
    "git@host:-x",
    "https://host/",
    "https://host/a b",
    "https://host/a\nb",
    `https://host/${"a".repeat(3000)}`,
  ])("%p is refused, without its secret", (address) => {
    const refused = readCloneAddress(address)._unsafeUnwrapErr();
    expect(`${refused.message} ${refused.remedy}`).not.toContain("s3cret");
    expect(refused.remedy).not.toBe("");
  });

  test("a folder, a name and an id are none", () => {
    const places = [".", "..", "/srv/a", "./a:b", "a/b:c", "shop", "0a1b2c3d", "~/code/a", "C:\\code"];
    expect(places.filter(looksLikeAddress)).toEqual([]);
    const addresses = ["https://host/a", "git@host.example:a", "host.example:a", "ext::x", "file:///a"];
    expect(addresses.filter((each) => !looksLikeAddress(each))).toEqual([]);
  });
});
