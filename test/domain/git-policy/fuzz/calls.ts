/** Generates calls of git: from the tables, as clusters and abbreviations, and by mutating known ones. */
import fc from "fast-check";
import type { OptionSpec, OptionTable } from "../../../../src/domain/git-policy/parse/option-spec.ts";
import { SUBCOMMANDS } from "../../../../src/domain/git-policy/tables/subcommands.ts";
import { EVERYDAY } from "../everyday.ts";
import { HOSTILE } from "../hostile.ts";

/** Stands for the path of the world in generated words. */
export const ROOT = "@ROOT@";

const WORDS = [
  ...["HEAD", "main", "feature", "merged", "topic", "wtb", "HEAD~1", "HEAD^", "v1", "v2", "origin/main"],
  ...["origin/gone", "stash@{0}", "stash@{1}", "HEAD@{1}", "HEAD@{3}", "main..feature", "main...topic"],
  ...["tracks", "untracks", "untracks~1", "origin/tracks", "main..untracks", "stash@{2}", "FETCH_HEAD"],
  ...["HEAD:src/app.txt", "refs/heads/topic", "origin/newer", "@{u}", "-", "@"],
  ...["src/app.txt", "src/other.txt", "src", ".", "..", "old.txt", "patchme.txt", "notes.txt", "staged.txt"],
  ...[
    "build",
    "build/out.bin",
    ".env",
    "scratch",
    "wt",
    "wt/src/app.txt",
    ".git/hooks/pre-commit",
    ".git/hooks/post-checkout",
    ".git",
    "nested",
    "nested/file.txt",
  ],
  ...[
    "lib",
    "lib/lib.txt",
    "link",
    "link/secret.txt",
    "*",
    "*.txt",
    ":/",
    ":(top)src",
    ":!src",
    "./src/app.txt",
  ],
  ...[
    "msg.txt",
    "list.txt",
    "fix.patch",
    "patches/0001-on-topic.patch",
    "feature.txt",
    "topic.txt",
    "run-canary",
  ],
  ...["newname", "new/folder", "x", "1", "5", "0", "now", "never", "all", "true", "false", "ours", "theirs"],
  ...["../outside", "../outside/secret.txt", "../new", "src/../../outside/secret.txt"],
  ...[`${ROOT}/outside/secret.txt`, `${ROOT}/outside`, `${ROOT}/ws/src/app.txt`, `${ROOT}/new`],
  ...["canary", "./run-canary", `${ROOT}/bin/canary`, "ext::canary", "canary::x", "canary://x"],
  ...[
    `ext::${ROOT}/bin/canary`,
    "origin",
    "../origin.git",
    `${ROOT}/origin.git`,
    `file://${ROOT}/origin.git`,
  ],
  ...[
    "+main",
    "+HEAD",
    "main:other",
    ":feature",
    "+HEAD:feature",
    "HEAD:feature",
    "newer:topic",
    "+newer:topic",
  ],
  ...[
    "refs/heads/*:refs/heads/*",
    "+refs/heads/*:refs/remotes/origin/*",
    "main:refs/notes/commits",
    ":",
    "+:",
  ],
  ...[
    "feature:refs/stash",
    "HEAD:refs/heads/topic",
    "tag",
    "add",
    "remove",
    "drop",
    "clear",
    "expire",
    "show",
  ],
  ...["-f", "--force", "--hard", "-D", "-d", "-i", "-n", "--output=x", "--", "--end-of-options", "", " "],
  ...[`--output=${ROOT}/outside/x`, "--exec=canary", "--upload-pack=canary", "-c", "core.fsmonitor=canary"],
] as const;

const word = fc.constantFrom<string>(...WORDS);

interface Form {
  readonly front: readonly string[];
  readonly options: OptionTable;
}

/** Each subcommand, with its verbs, and its options. */
const FORMS: readonly Form[] = Object.entries(SUBCOMMANDS).flatMap(([name, table]) => {
  if ("options" in table) return [{ front: [name], options: table.options }];
  const verbs = [...table.verbs].map(([verb, one]) => ({
    front: [name, verb],
    options: "options" in one ? one.options : new Map(),
  }));
  return [...verbs, { front: [name], options: table.plain?.options ?? table.before }];
});

/** An option as it should be written, or nearly. */
function optionWords([name, { takes }]: readonly [string, OptionSpec]): fc.Arbitrary<readonly string[]> {
  const bare = fc.constant([name === "-<n>" ? "-5" : name]);
  if (takes === "nothing") return bare;
  const long = name.startsWith("--");
  const stuck = word.map((value) => [long ? `${name}=${value}` : `${name}${value}`]);
  const apart = word.map((value) => [name, value]);
  return fc.oneof(bare, stuck, apart);
}

function abbreviated(name: string): fc.Arbitrary<readonly string[]> {
  return fc.integer({ min: 4, max: Math.max(4, name.length - 1) }).map((length) => [name.slice(0, length)]);
}

function fromTable({ front, options }: Form): fc.Arbitrary<readonly string[]> {
  const names = [...options];
  const letters = names.filter(([name]) => /^-\w$/.test(name)).map(([name]) => name.slice(1));
  const operand = word.map((one) => [one]);
  const option = names.length === 0 ? operand : fc.constantFrom(...names).chain(optionWords);
  const cluster =
    letters.length === 0
      ? option
      : fc
          .tuple(fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 4 }), fc.option(word))
          .map(([some, value]) => [`-${some.join("")}${value ?? ""}`]);
  const short = names.length === 0 ? operand : fc.constantFrom(...names).chain(([name]) => abbreviated(name));
  const piece = fc.oneof(
    { weight: 6, arbitrary: option },
    { weight: 6, arbitrary: operand },
    { weight: 2, arbitrary: cluster },
    { weight: 1, arbitrary: short },
  );
  return fc.array(piece, { maxLength: 5 }).map((pieces) => [...front, ...pieces.flat()]);
}

const KNOWN = [...EVERYDAY, ...HOSTILE].map(({ words }) => words);

/** A known call with a word put in, taken out, swapped or replaced. */
const mutated: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.constantFrom(...KNOWN),
    fc.array(fc.tuple(fc.constantFrom("in", "out", "swap", "other"), fc.nat(8), word), { maxLength: 3 }),
  )
  .map(([known, steps]) =>
    steps.reduce<readonly string[]>((words, [step, where, other]) => {
      const at = 1 + (where % Math.max(1, words.length));
      if (step === "in") return words.toSpliced(at, 0, other);
      if (step === "out") return words.toSpliced(at, 1);
      if (step === "other") return words.toSpliced(at, 1, other);
      const [one, next] = [words[at], words[at + 1]];
      return one === undefined || next === undefined ? words : words.toSpliced(at, 2, next, one);
    }, known),
  );

export const gitCalls: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...FORMS).chain(fromTable) },
  { weight: 1, arbitrary: mutated },
);
