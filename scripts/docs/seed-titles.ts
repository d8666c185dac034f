/** Reads which sections of the seeds are named by the titles of tests and cited by comments of the code. */

export interface SeedSection {
  /** `003`. */
  readonly seed: string;
  /** As `seeds.ts` names it: `§3.1`, `Push with retry`. */
  readonly section: string;
}

export interface Clause extends SeedSection {
  /** What stands behind the sections. */
  readonly title: string;
}

/** A text that begins with sections and a colon, unless it is the title of a `describe`. */
const TITLE =
  /(describe(?:\.\w+\([^)]*\))?\(\s*)?(["'`])(seed \d{3} [^:"'`\n]+): ((?:(?!\2)[^\n\\]|\\.)+)\2/g;

/** `(seed 003 Phase 3)`: a citation stands in brackets. */
const CITATION = /\((seed \d{3}\b[^();]*)[;)]/g;

/** `seed 000 §3.1 and §5: …` or `seed 003 Phase 3, GitService and seed 000 §4.4: …`. */
export function clausesIn(text: string): readonly Clause[] {
  return [...text.matchAll(TITLE)]
    .filter(([, describe]) => describe === undefined)
    .flatMap(([, , , names = "", title = ""]) =>
      sectionsIn(names).map((named) => ({ ...named, title: title.replaceAll(/\\(.)/g, "$1") })),
    );
}

/** Sections of one file; an empty name stands for the whole seed. */
export function citationsIn(text: string): readonly SeedSection[] {
  const lines = text.replaceAll(/\n\s*(?:\*|\/\/) ?/g, " ");
  return [...lines.matchAll(CITATION)].flatMap(([, names = ""]) => sectionsIn(names));
}

/** A list in another form is handed on as it is, so that it is found to be no section. */
function sectionsIn(names: string): readonly SeedSection[] {
  const parts = names.split(/\bseed (?=\d{3})/).filter((part) => part !== "");
  return parts.flatMap((part) => {
    const seed = part.slice(0, 3);
    const [list, inner] = /^\d{3}(?: (.*?))?(?:,| and)? *$/s.exec(part) ?? [];
    if (list === undefined) return [{ seed, section: part.slice(3) }];
    return (inner ?? "").split(/, | and /).map((section) => ({ seed, section: section.trim() }));
  });
}
