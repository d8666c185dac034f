/** Writes the page of the seeds: each section, the files that cite it, and the tests whose titles name it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { type Clause, citationsIn, clausesIn, type SeedSection } from "./seed-titles.ts";
import { SEEDS, type Section, type Seed } from "./seeds.ts";
import { filledIn, testFiles } from "./test-titles.ts";
import { MADE_BY, table } from "./tool-page.ts";

/** With the file that it stands in, below the project's folder. */
export type Told = Clause & { readonly file: string };
export type Cited = SeedSection & { readonly file: string };

const OPENING = `Tazuna is specified by five documents, its *seeds*. Each has a number, a title and sections. Each row is one clause, in the words
of the test that holds it. *(departs: …)* says how we follow a clause in another way than its letter. If no test can hold a clause, the row says why.

Nothing here is written by hand. The title of a test names its sections, as \`seed 003 Push with retry: …\`, and a comment of the code cites them, as
\`(seed 003 Push with retry)\`. \`scripts/docs/seeds.ts\` lists the sections, and the clauses that no test can hold. \`npm run docs\` joins the three.`;

export function seedsPage(root: string): string {
  const told = toldClauses(root);
  const cited = citations(root);
  const parts = SEEDS.flatMap((seed) => seedPart(seed, told, cited));
  return `${[MADE_BY, "# The seeds, clause by clause", OPENING, ...parts].join("\n\n")}\n`;
}

/** By file and, in it, in their order. */
export function toldClauses(root: string): readonly Told[] {
  return testFiles(root).flatMap((file) =>
    clausesIn(readFileSync(join(root, file), "utf8")).map((clause) => ({ file, ...clause })),
  );
}

export function citations(root: string): readonly Cited[] {
  return [...new Glob("src/**/*.ts").scanSync({ cwd: root })]
    .map((file) => file.replaceAll("\\", "/"))
    .sort()
    .flatMap((file) =>
      citationsIn(readFileSync(join(root, file), "utf8")).map((named) => ({ ...named, file })),
    );
}

function seedPart(seed: Seed, told: readonly Told[], cited: readonly Cited[]): readonly string[] {
  const of = <T extends SeedSection>(all: readonly T[], section: string) =>
    all.filter((one) => one.seed === seed.number && one.section === section);
  return [
    `## Seed ${seed.number}: ${seed.title}`,
    ...heldBy(of(cited, "")),
    ...seed.sections.flatMap((section) => [
      headingOf(section),
      ...heldBy(of(cited, section.name)),
      table(["clause", "test"], rowsOf(section, of(told, section.name))),
    ]),
  ];
}

function headingOf({ name, title }: Section): string {
  if (title === undefined) return `### ${name}`;
  return `### ${name}${name.startsWith("§") ? "" : ":"} ${title}`;
}

function heldBy(cited: readonly Cited[]): readonly string[] {
  const files = [...new Set(cited.map(({ file }) => `[\`${file}\`](../${file})`))];
  return files.length === 0 ? [] : [`Held by ${files.join(", ")}.`];
}

function rowsOf({ untried = [] }: Section, told: readonly Told[]): readonly (readonly string[])[] {
  return [
    ...told.map(({ title, file }) => [plain(title), `[${file.replace(/^test\//, "")}](../${file})`]),
    ...untried.map(({ clause, reason }) => [clause, `*${reason}*`]),
  ];
}

/** What is filled in at the end is left out. Code stays code; nothing else is taken for Markdown or a tag. */
function plain(title: string): string {
  return filledIn(title.replaceAll("%s", "…"))
    .replace(/ \(promises? [^)]*\)$/, "")
    .replace(/[:,]? …(?:,? …)*(?= \(departs|$)/, "")
    .replaceAll(/(`[^`]*`)|[\\*_<>[\]]/g, (sign, code?: string) => code ?? `\\${sign}`);
}
