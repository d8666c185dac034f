/** Writes the history of a scratch repository: one commit of so many small text files, the same ones every time. */

/** What `git fast-import` reads: `main` with `files` files of 0.5 to 6 KB, sixteen to a folder, three folders deep. */
export function importText(files: number): string {
  const parts = [
    "commit refs/heads/main\ncommitter Bea Bench <bea@example.com> 1700000000 +0000\ndata 6\nfirst\n\n",
  ];
  const random = createRandom(files);
  for (let index = 0; index < files; index++) {
    const content = textOf(random);
    parts.push(`M 100644 inline ${pathOf(index)}\ndata ${content.length}\n${content}\n`);
  }
  return parts.join("");
}

/** The path of the file with this number. */
export function pathOf(index: number): string {
  const folder = Math.floor(index / 16);
  return `src/part-${Math.floor(folder / 64)}/room-${folder % 64}/file-${index}.ts`;
}

function textOf(random: () => number): string {
  const lines = 10 + Math.floor(random() ** 2 * 110);
  const words = () => Math.floor(random() * 1e9).toString(36);
  return Array.from(
    { length: lines },
    () => `export const ${words()} = "${words()} ${words()} ${words()}";\n`,
  ).join("");
}

/** A small linear congruential generator, so that every run measures the same files. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
