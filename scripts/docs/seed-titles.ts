/** Reads from the titles of tests which sections of the toolkit's seeds they try. */

export interface Clause {
  readonly seed: string;
  /** `3.1` of seeds 000 and 001, a heading of the others. */
  readonly section: string;
  /** What stands behind the seeds and sections. */
  readonly title: string;
}

/** A text that begins with a seed, unless it is the title of a `describe`. */
const TITLE = /(describe(?:\.\w+\([^)]*\))?\(\s*)?(["`])(seed (?:000|001|002|004)\b[^"`]*)\2/g;

/** What stands in front of the first colon: `seed 000 §3.1 and §5: …`, `seed 004 Overview and Data Flow (departs): …`. */
export function seedsInTitles(text: string): readonly Clause[] {
  const titles = [...text.matchAll(TITLE)].filter(([, describe]) => describe === undefined);
  return titles.flatMap(([, , , whole = ""]) => {
    const [names = "", ...rest] = whole.split(":");
    const title = rest.join(":").trim();
    return names.split(/\bseed /).flatMap((part) => {
      const [, seed = "", list = ""] = /^(\d{3})[ ,]*(.*)$/s.exec(part) ?? [];
      return sectionsIn(list).map((section) => ({ seed, section, title }));
    });
  });
}

function sectionsIn(list: string): readonly string[] {
  return list
    .replaceAll(/§|\([^)]*\)/g, "")
    .split(/,| and /)
    .map((section) => section.trim())
    .filter((section) => section !== "");
}
