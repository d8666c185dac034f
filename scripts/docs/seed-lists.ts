/** Writes, for each of the toolkit's seeds, which titles of tests name its sections. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Clause, seedsInTitles } from "./seed-titles.ts";
import { filledIn, testFiles } from "./test-titles.ts";

interface Told extends Clause {
  readonly file: string;
}

/** A list of Markdown, a section a line. */
export function seedList(root: string, seed: string): string {
  const told = testFiles(root).flatMap((file): readonly Told[] =>
    seedsInTitles(readFileSync(join(root, file), "utf8")).map((clause) => ({ file, ...clause })),
  );
  const sections = Map.groupBy(
    told.filter((clause) => clause.seed === seed),
    ({ section }) => section,
  );
  return [...sections.keys()]
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((section) => `- **${section}** ${filesOf(sections.get(section) ?? [])}`)
    .join("\n");
}

function filesOf(told: readonly Told[]): string {
  const files = Map.groupBy(told, ({ file }) => file);
  return [...files]
    .map(([file, those]) => `\`${file}\`: ${those.map(({ title }) => `"${plain(title)}"`).join(", ")}`)
    .join("; ");
}

/** Nothing in it is taken for Markdown or a tag. */
function plain(title: string): string {
  return filledIn(title).replaceAll(/[\\`*_<>[\]]/g, (sign) => `\\${sign}`);
}
