/** Holds the remedies of refused commands to their word: what they name is typed, and goes through. */
import { expect, test } from "bun:test";
import { sourceFiles } from "../architecture/source-files.ts";
import { PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { ASKED_WRONGLY } from "./remedies/asked-wrongly.ts";
import { SERVERS_AND_TOOLS, THE_ENGINE } from "./remedies/at-the-doors.ts";
import { BROUGHT_HOME } from "./remedies/brought-home.ts";
import { commandsIn, typed, wrongWords } from "./remedies/follow.ts";
import { IN_THE_QUEUE } from "./remedies/in-the-queue.ts";
import { obeyIn, type Scene } from "./remedies/obey.ts";
import { ON_FORGES } from "./remedies/on-forges.ts";
import { OVER_HTTP } from "./remedies/over-http.ts";
import { PUT_AWAY } from "./remedies/put-away.ts";
import { ELSEWHERE, REFUSALS } from "./remedies/refusals.ts";
import { TAKEN_BACK } from "./remedies/taken-back.ts";
import { TAKEN_TOGETHER } from "./remedies/taken-together.ts";

const SCENES: readonly Scene[] = [
  ...ASKED_WRONGLY,
  PUT_AWAY,
  BROUGHT_HOME,
  IN_THE_QUEUE,
  TAKEN_BACK,
  TAKEN_TOGETHER,
  THE_ENGINE,
  SERVERS_AND_TOOLS,
  OVER_HTTP,
  ON_FORGES,
];

/** The codes with which the services refuse, as they stand in their source. */
function codesOfServices(): ReadonlySet<string> {
  const services = sourceFiles().filter(({ path }) => path.startsWith("services/"));
  return new Set(
    services.flatMap(({ text }) =>
      [...text.matchAll(/\brefuse\(\s*"\w+",\s*"(\w+)"/g)].map(([, code]) => code ?? ""),
    ),
  );
}

test("every code with which something is refused has a case, or a reason why its remedy is no command", () => {
  const all = codesOfServices();
  const known = new Set([
    ...REFUSALS.map(({ code }) => code),
    ...SCENES.flatMap(({ codes }) => codes),
    ...Object.keys(ELSEWHERE),
  ]);
  expect(all.size).toBeGreaterThan(40);
  expect([...all].filter((code) => !known.has(code))).toEqual([]);
  expect(Object.keys(ELSEWHERE).filter((code) => !all.has(code))).toEqual([]);
});

test("a value that the API does not take is reported by the flag that it came from", async () => {
  await using product = await startProduct();
  const answers = [
    await refused(product, ["run", "x", "--base", "a b"]),
    await refused(product, ["run", "x", "--agent", "demo", "--title", "x".repeat(300)]),
  ];
  expect(answers.map(({ code, error }) => [code, error.remedy])).toEqual([
    [2, "Correct --base, then type the command again; with `--help` behind it, it lists what it takes."],
    [2, "Correct --title, then type the command again; with `--help` behind it, it lists what it takes."],
  ]);
});

for (const { title, codes, play } of SCENES)
  test(
    deep(`${title}: what each remedy says goes through`),
    async () => {
      await using product = await startProduct();
      const done = new Set<string>();
      await play(product, obeyIn(product, done), done);
      expect(codes.filter((code) => !done.has(code))).toEqual([]);
    },
    PATIENCE_MS,
  );

/** The first few show that following a remedy is tried at all; of the others the deep tests draw some. */
const FIRST = 6;
const rest = drawn(Array.from({ length: REFUSALS.length - FIRST }, (_, at) => FIRST + at));
const inTier = (title: string, index: number) => (index < FIRST ? title : deep(title));

for (const [index, each] of [...REFUSALS.entries()].filter(([at]) => at < FIRST || rest.includes(at)))
  test(
    inTier(`${each.code} (${index + 1}): what the remedy says goes through`, index),
    async () => {
      await using product = await startProduct();
      const { args, cwd, person, again } = await each.play(product);
      const where = cwd === undefined ? {} : { cwd };
      const { error } = await refused(product, args, where);
      const printed = await product.tazuna(args, where);
      expect([error.code, printed.stderr.includes(error.remedy), printed.code === 0]).toEqual([
        each.code,
        true,
        false,
      ]);
      const wrong = wrongWords(error.remedy, { worktree: true });
      expect({ remedy: error.remedy, wrong: again === true ? [] : wrong }).toEqual({
        remedy: error.remedy,
        wrong: [],
      });
      await person?.();
      const [command] = commandsIn(error.remedy).filter((line) => !line.startsWith("tazuna trust"));
      if (command?.startsWith("tazuna "))
        expect({ command, ...(await typed(product, command)) }).toMatchObject({ command, code: 0 });
      if (again === true) expect(await product.tazuna(args, where)).toMatchObject({ code: 0 });
    },
    PATIENCE_MS,
  );
