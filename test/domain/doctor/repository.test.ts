import { describe, expect, test } from "bun:test";
import type { Finding } from "../../../src/domain/doctor/finding.ts";
import { type RemoteFacts, remoteFindings } from "../../../src/domain/doctor/remotes.ts";
import {
  goneFinding,
  type RepositoryFacts,
  repositoryFindings,
} from "../../../src/domain/doctor/repository.ts";

const PATH = "/home/u/my project";
const told = (findings: readonly Finding[]) => findings.map(({ level, id }) => `${level} ${id}`);

describe("a repository", () => {
  const IN_ORDER: RepositoryFacts = {
    id: "0123456789",
    name: "project",
    path: PATH,
    trouble: null,
    undecidedHooks: [],
    untrusted: 0,
    unmatched: [],
    planted: [],
    lfs: { used: false, installed: false, configured: false },
    signing: null,
    here: true,
  };
  const findingsOf = (facts: Partial<RepositoryFacts>) => repositoryFindings({ ...IN_ORDER, ...facts });
  const lfs = (installed: boolean, configured: boolean) => ({ lfs: { used: true, installed, configured } });

  test("in order has no finding", () => {
    expect(findingsOf({})).toEqual([]);
    expect(findingsOf(lfs(true, true))).toEqual([]);
  });

  test.each([
    [{ unmatched: ["conf/*.jsn"] }, `warning copy:${PATH}`],
    [{ trouble: "it is locked" }, `error repository_trouble:${PATH}`],
    [{ planted: ["git setting filter.x.clean: rm"] }, `error git_settings:${PATH}`],
    [{ untrusted: 2 }, `warning scripts:${PATH}`],
    [{ undecidedHooks: ["pre-commit"] }, `info hooks:${PATH}`],
    [lfs(false, false), `error lfs:${PATH}`],
    [lfs(true, false), `error lfs:${PATH}`],
    [{ signing: { format: "ssh", reason: "no key" } }, `error signing:${PATH}`],
  ] satisfies [Partial<RepositoryFacts>, string][])("%j is %s", (facts, expected) => {
    expect(told(findingsOf(facts))).toEqual([expected]);
  });

  test("what makes runs fail elsewhere is no error here", () => {
    expect(told(findingsOf({ ...lfs(false, false), here: false }))).toEqual([`warning lfs:${PATH}`]);
  });

  test("a remedy is a command that can be pasted, also if the path has a space", () => {
    expect(findingsOf({ untrusted: 1 })[0]).toMatchObject({
      what: "A script of this repository would run, and you have not trusted it yet.",
      whose: "repository project",
      remedy: "`cd '/home/u/my project' && tazuna trust`",
    });
  });

  test("that is gone is reported with the command that says where it lies now", () => {
    const gone = { id: "0123456789abc", name: "project", path: PATH };
    expect(goneFinding({ ...gone, another: true }).what).toBe(`${PATH} is another repository now.`);
    const finding = goneFinding({ ...gone, another: false });
    expect(finding).toMatchObject({
      level: "warning",
      what: `There is no repository at ${PATH} any more.`,
      path: PATH,
      remedy:
        "If it was moved, type `tazuna repo move 01234567 .` in its new place; if it was deleted: `tazuna repo remove 01234567`.",
    });
  });
});

describe("remotes", () => {
  const remote = (facts: Partial<RemoteFacts>): RemoteFacts => ({
    name: "origin",
    fetchUrl: "https://host.example/x.git",
    pushUrl: "https://host.example/x.git",
    credentialsInUrl: false,
    gone: [],
    ...facts,
  });
  const findingsOf = (facts: Partial<RemoteFacts>, more: { missing?: string; here?: boolean } = {}) =>
    remoteFindings({
      name: "project",
      path: PATH,
      remotes: [remote(facts)],
      missing: more.missing ?? null,
      here: more.here ?? true,
    });

  test("with an address of the usual kinds have no finding", () => {
    for (const url of [
      "https://host.example/x.git",
      "git@host.example:x.git",
      "ssh://git@host.example/x.git",
      "http://127.0.0.1:3000/x.git",
      "http://localhost/x.git",
      "http://[::1]:3000/x.git",
      "/srv/x.git",
      "file:///srv/x.git",
    ])
      expect(findingsOf({ fetchUrl: url, pushUrl: url })).toEqual([]);
  });

  test("a token in the address is reported with the command that takes it out, and never with the token", () => {
    expect(findingsOf({ credentialsInUrl: true })[0]).toMatchObject({
      level: "warning",
      remedy: expect.stringContaining(
        "`git -C '/home/u/my project' remote set-url origin https://host.example/x.git`",
      ),
    });
    expect(findingsOf({ credentialsInUrl: true, pushUrl: "https://push.example/x" })[0]?.remedy).toContain(
      "` and `git -C '/home/u/my project' remote set-url --push origin https://push.example/x`",
    );
    expect(findingsOf({ credentialsInUrl: true, fetchUrl: "https://h/x?token=***" })[0]?.remedy).toContain(
      "set-url origin`",
    );
  });

  test.each(["http://host.example/x.git", "HTTP://host.example/x.git", "git://127.0.0.1.example/x"])(
    "%s is not encrypted",
    (url) => {
      const [finding] = findingsOf({ pushUrl: url });
      expect([finding?.level, finding?.id]).toEqual(["warning", `remote_plain:${PATH}:origin`]);
      expect(finding?.remedy).toContain(`set-url origin https://${url.split("://")[1]}`);
    },
  );

  test("a folder that is missing is an error if agents work in the repository, else a warning", () => {
    expect(told(findingsOf({ gone: ["/srv/x.git"] }))).toEqual([`error remote_gone:${PATH}:origin`]);
    expect(told(findingsOf({ gone: ["/srv/x.git"] }, { here: false }))).toEqual([
      `warning remote_gone:${PATH}:origin`,
    ]);
  });

  test("one that the configuration names and that is not there is reported with those that are", () => {
    const missing = "the repository has no remote upstream; it has origin";
    expect(findingsOf({}, { missing })[0]?.what).toBe(`The configured remote cannot be used: ${missing}.`);
  });
});
