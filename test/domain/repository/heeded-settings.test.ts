import { describe, expect, test } from "bun:test";
import { isHeeded } from "../../../src/domain/repository/heeded-settings.ts";
import { isWatched } from "../../../src/domain/repository/watched-settings.ts";

const LOCAL = ["add -A", "status", "commit -m x", "merge x", "checkout x", "write-tree"];
const REMOTE = [
  "fetch origin",
  "push origin B",
  "ls-remote origin",
  "pull origin B",
  "submodule update",
  "lfs push origin x",
];

/** The calls that heed it. */
function heeding(key: string): readonly string[] {
  const heeds = (line: string, reachesRemotes: boolean) =>
    isHeeded(key, { args: line.split(" "), reachesRemotes });
  return [...LOCAL.filter((line) => heeds(line, false)), ...REMOTE.filter((line) => heeds(line, true))];
}

const MERGES = ["merge x", "pull origin B"];

describe("a setting that an agent may have planted is heeded", () => {
  test.each<[string, readonly string[]]>([
    ["filter.x.clean", [...LOCAL, "pull origin B", "submodule update", "lfs push origin x"]],
    ["modules/sub/config", [...LOCAL, "pull origin B", "submodule update", "lfs push origin x"]],
    ["merge.x.driver", MERGES],
    ["branch.main.mergeoptions", MERGES],
    ["user.name", ["commit -m x", ...MERGES]],
    ["gpg.program", ["commit -m x", ...MERGES]],
    ["remote.origin.url", REMOTE],
    ["remote.other.url", ["submodule update", "lfs push origin x"]],
    ["remote.other.promisor", REMOTE],
    ["url./x/.insteadof", REMOTE],
    ["remotes.origin", REMOTE],
    ["http.https://x/.extraheader", REMOTE],
    ["core.sshcommand", REMOTE],
    ["alias.lfs", ["lfs push origin x"]],
    ["include.path", [...LOCAL, ...REMOTE]],
    ["objects/info/alternates", [...LOCAL, ...REMOTE]],
    ["hook.x.command", [...LOCAL, ...REMOTE]],
  ])("%s", (key, calls) => {
    expect(heeding(key)).toEqual(calls);
  });

  test("by every call that names no remote, if it is a remote's, and by what may fetch missing objects", () => {
    expect(isHeeded("remote.other.url", { args: ["fetch", "--all"], reachesRemotes: true })).toBe(true);
    expect(isHeeded("remote.other.url", { args: ["diff", "HEAD"], reachesRemotes: true })).toBe(true);
    expect(isHeeded("remote.other.url", { args: ["diff", "HEAD"], reachesRemotes: false })).toBe(false);
    expect(isHeeded("gpg.program", { args: ["commit-tree", "-S", "x"], reachesRemotes: false })).toBe(true);
  });
});

test("a setting that a person keeps for own scripts beside git's own ones is not watched", () => {
  const watched = (key: string) => isWatched({ key, value: "x" });
  expect(["user.note", "user.signingkey.old", "author.team"].filter(watched)).toEqual([]);
  const known = ["user.name", "author.email", "committer.name", "user.signingkey", "user.useconfigonly"];
  expect(known.filter(watched)).toEqual(known);
});
