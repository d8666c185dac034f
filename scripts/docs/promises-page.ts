/** Writes the page of the promises: each sentence, what holds it, and the titles of the tests that name it. */
import { PROMISES, type Promised } from "./promises.ts";
import { type PromiseTest, promiseTests } from "./test-titles.ts";
import { MADE_BY, table } from "./tool-page.ts";

const OPENING = `What Tazuna promises is seven paragraphs. Each row is one sentence of them, with the tests that try to break it.
A test names its sentence at the end of its title, as \`(promise 1.3)\`. A sentence that no test tries says why. How often they try, and what
was not run, is in [status.md](status.md#what-one-run-of-the-tests-tries).`;

export function promisesPage(root: string): string {
  const tests = promiseTests(root);
  const parts = PROMISES.map((promised, at) => promisePart(promised, at + 1, tests));
  return `${[MADE_BY, "# The promises, sentence by sentence", OPENING, ...parts].join("\n\n")}\n`;
}

function promisePart(promised: Promised, number: number, tests: readonly PromiseTest[]): string {
  const rows = promised.sentences.map(({ text, untried }, at) => {
    const id = `${number}.${at + 1}`;
    return [id, text, untried ?? namesOf(tests.filter(({ promise }) => promise === id))];
  });
  const heldBy = promised.heldBy.map((line) => `- ${line}`).join("\n");
  return [
    `## ${number}. ${promised.title}`,
    `Held by:\n\n${heldBy}`,
    table(["", "sentence", "tried by"], rows),
  ].join("\n\n");
}

function namesOf(tests: readonly PromiseTest[]): string {
  const files = Map.groupBy(tests, ({ file }) => file);
  return [...files]
    .map(([file, those]) => `\`${file}\`: ${those.map(({ title }) => `"${title}"`).join(", ")}`)
    .join("; ");
}
