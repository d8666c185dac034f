/** Holds the house of `web/`: its floors, its sizes, and what no screen may do (ADR 0065). */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { codeIn } from "./exports.ts";
import { ROOT } from "./source-files.ts";

const files = codeIn(["web/src"]).map(({ path, text }) => ({
  path: path.slice("web/src/".length),
  text,
  imports: importsOf(path.slice("web/src/".length), text),
}));

interface Import {
  readonly specifier: string;
  /** Below `web/src`; null for packages and the contract. */
  readonly target: string | null;
}

function importsOf(path: string, text: string): readonly Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const found = code.matchAll(
    /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w*{][^;'"]*?\s+from\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g,
  );
  return [...found].map(([, fixed, lazy]) => {
    const specifier = fixed ?? lazy ?? "";
    const target = specifier.startsWith(".") ? normalize(join(dirname(path), specifier)) : null;
    return { specifier, target };
  });
}

/** From the top down; a part imports its own floor and those below. */
const FLOORS = [["main.tsx"], ["router.tsx"], ["routes"], ["features"], ["ui"], ["i18n"], ["data"]] as const;

const floorOf = (path: string): number =>
  FLOORS.findIndex((names) => names.some((name) => path === name || path.startsWith(`${name}/`)));

const roomOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("features/") ? 2 : 1)
    .join("/");

describe("web", () => {
  test("imports the contract and packages, and nothing else of the product", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "web/package.json"), "utf8"));
    const packages = [...Object.keys(devDependencies), "neverthrow"];
    const foreign = files.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, target }) => {
          if (target !== null) return target.startsWith("..");
          if (specifier.startsWith("@contract/")) return false;
          return !packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
        })
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
    expect(foreign).toEqual([]);
  });

  test("imports point downwards", () => {
    const upwards = files.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target !== null && floorOf(target) >= 0 && floorOf(target) < floorOf(path))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
    expect(upwards).toEqual([]);
  });

  test("no two nouns import each other, directly or around a corner", () => {
    const edges = new Map<string, Set<string>>();
    for (const { path, imports } of files)
      for (const { target } of imports)
        if (target !== null && roomOf(target) !== roomOf(path))
          edges.set(roomOf(path), (edges.get(roomOf(path)) ?? new Set()).add(roomOf(target)));
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(edges.get(from) ?? [])].some(
        (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
      );
    expect([...edges.keys()].filter((room) => reaches(room, room))).toEqual([]);
  });

  test("a file has at most 300 lines and a folder at most 20 files", () => {
    const long = files.filter(({ text }) => text.split("\n").length > 301).map(({ path }) => path);
    const folders = Map.groupBy(files, ({ path }) => dirname(path));
    const full = [...folders].filter(([, those]) => those.length > 20).map(([folder]) => folder);
    expect({ long, full }).toEqual({ long: [], full: [] });
  });

  test("every file opens with a sentence that says what it does", () => {
    expect(files.filter(({ text }) => !/^\/\*\*[^*]/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("what is loaded late tells its failure in its place: by `part`, or before it is shown", () => {
    const telling = /\buseLoaded\(|\bloadToasts\(\)\.then|\bloadHints\(\)\.then/;
    const bare = files.filter(({ text }) => /\blazy\(/.test(text) && !telling.test(text));
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  test("nothing polls, nothing is markup, and only one file keeps anything on the device", () => {
    const found = (pattern: RegExp, except: readonly string[]) =>
      files.filter(({ path, text }) => pattern.test(text) && !except.includes(path)).map(({ path }) => path);
    expect({
      polls: found(/refetchInterval|setInterval\(/, ["ui/use-now.ts"]),
      markup: found(/dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML/, []),
      keeps: found(/localStorage|sessionStorage|indexedDB/, ["data/preferences.ts"]),
      // A format is made once for a language, not once for a row.
      formats: found(/\bnew Intl\./, ["i18n/format.ts", "i18n/i18n.ts"]),
    }).toEqual({ polls: [], markup: [], keeps: [], formats: [] });
  });
});

const SAID = /(?:useTranslation\(|sayNow\(|\bns: |\bnoun=)"(\w+)"/g;

/** A file and all that it imports, also later. */
function reachedFrom(path: string, found = new Set<string>()): ReadonlySet<string> {
  const file = files.find((each) => each.path === path);
  if (file === undefined || found.has(path)) return found;
  found.add(path);
  for (const { target } of file.imports) if (target !== null) reachedFrom(target, found);
  return found;
}

const isActionsMenu = (path: string) =>
  files
    .find((file) => file.path === path)
    ?.imports.some(({ target }) => target === "features/keys/actions-menu.tsx") === true;

/** Whoever asks for a part loads its words beside it, or the part does so itself. */
function isLoadedWith(path: string, set: string): boolean {
  const loads = (text: string) => text.includes(`loadWords("${set}")`);
  const own = files.find((file) => file.path === path);
  const askers = files.filter(({ imports }) => imports.some(({ target }) => target === path));
  return (own !== undefined && loads(own.text)) || askers.every(({ text }) => loads(text));
}

/** The nouns of a list of catalogs. */
const nounsOf = (path: string) =>
  [...(files.find((file) => file.path === path)?.text ?? "").matchAll(/^ {2}(\w+): \w+Words,$/gm)].map(
    ([, noun = ""]) => noun,
  );

describe("the words of the web UI", () => {
  test("are loaded with every screen that says them", () => {
    const first = nounsOf("i18n/first-catalogs.ts");
    const sets: Readonly<Record<string, readonly string[]>> = {
      work: nounsOf("i18n/work-catalogs.ts"),
      decide: nounsOf("i18n/ship/decide-catalogs.ts"),
      engine: nounsOf("i18n/engine/engine-catalogs.ts"),
      questions: nounsOf("i18n/engine/question-catalogs.ts"),
    };
    const router = files.find(({ path }) => path === "router.tsx")?.text ?? "";
    const screens = [...router.matchAll(/import\("\.\/(routes\/[\w-]+\.tsx)"\), "\w+"((?:, "\w+")*)\)/g)];
    const missing = screens.flatMap(([, path = "", named = ""]) => {
      const loaded = [...named.matchAll(/"(\w+)"/g)].flatMap(([, set = ""]) => sets[set] ?? []);
      return [...reachedFrom(path)].flatMap((part) =>
        [...(files.find((file) => file.path === part)?.text ?? "").matchAll(SAID)]
          .map(([, noun = ""]) => noun)
          .filter((noun) => !first.includes(noun) && !loaded.includes(noun))
          // A menu of acts loads its words itself when it is asked for.
          .filter((noun) => !(isActionsMenu(part) && sets.engine?.includes(noun)))
          .filter(
            (noun) => !Object.keys(sets).some((set) => sets[set]?.includes(noun) && isLoadedWith(part, set)),
          )
          .map((noun) => `${path}: ${part} says ${noun}`),
      );
    });
    expect(screens.length).toBe(8);
    expect(missing).toEqual([]);
  });

  test("stand in the catalogs: no screen holds a sentence of its own", () => {
    const literal = files.flatMap(({ path, text }) =>
      [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)[.…]?\s*</g)].map(([, words]) => `${path}: ${words}`),
    );
    expect(literal).toEqual([]);
  });
});

describe("the shared parts of the screens", () => {
  test("are as large as a finger needs: no rule after that one makes them smaller again", () => {
    const css = readFileSync(join(ROOT, "web/src/components.css"), "utf8");
    const forFingers = css.slice(css.indexOf("@media (pointer: coarse)"));
    expect([...forFingers.matchAll(/min-height: \d+px/g)].map(([rule]) => rule)).toEqual(
      Array(4).fill("min-height: 44px"),
    );
  });
});

describe("the colours of the design system", () => {
  test("have enough contrast in light and dark: text 4.5, signs and control borders 3", () => {
    const low = (["light", "dark"] as const).flatMap((theme) => lowPairs(tokensOf(theme), theme));
    expect(low).toEqual([]);
  });
});

type Colour = readonly [number, number, number];

function tokensOf(theme: "light" | "dark"): ReadonlyMap<string, Colour> {
  const css = readFileSync(join(ROOT, "web/src/tokens.css"), "utf8");
  const colour = /oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g;
  return new Map(
    [...css.matchAll(/--([\w-]+):\s*light-dark\((.+)\);/g)].map(([, name = "", both = ""]) => {
      const [light, dark] = [...both.matchAll(colour)];
      const [, l, c, h] = (theme === "light" ? light : dark) ?? [];
      return [name, srgb(Number(l), Number(c), Number(h))];
    }),
  );
}

/** Linear light of an OKLCH colour, after Björn Ottosson's definition, clipped to sRGB. */
function srgb(lightness: number, chroma: number, hue: number): Colour {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function contrast(one: Colour, other: Colour): number {
  const luminance = ([r, g, b]: Colour) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [high, low] = [luminance(one), luminance(other)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ["canvas", "surface", "sunken", "raised", "hover"];
const FAMILIES = ["queue", "work", "needs", "review", "ready", "fail"];

function lowPairs(tokens: ReadonlyMap<string, Colour>, theme: string): readonly string[] {
  const pairs: (readonly [string, string, number])[] = [
    ...GROUNDS.flatMap((ground) => [
      ...["ink", "ink-2", "ink-3", "accent"].map((ink) => [ink, ground, 4.5] as const),
      ...FAMILIES.map((family) => [`${family}-ink`, ground, 4.5] as const),
    ]),
    ...FAMILIES.map((family) => [`${family}-ink`, `${family}-soft`, 4.5] as const),
    ...FAMILIES.map((family) => [`${family}-fill`, "surface", 3] as const),
    ["on-accent", "accent-fill", 4.5],
    ["line-control", "surface", 3],
    ...["add", "del"].map((kind) => [`${kind}-ink`, `${kind}-line`, 4.5] as const),
    ...["key", "str", "fn", "num", "note"].flatMap((kind) =>
      ["surface", "add-line", "del-line", "add-word", "del-word"].map(
        (ground) => [`code-${kind}`, ground, 4.5] as const,
      ),
    ),
  ];
  return pairs.flatMap(([ink, ground, floor]) => {
    const ratio = contrast(tokens.get(ink) as Colour, tokens.get(ground) as Colour);
    return !(ratio >= floor) ? [`${theme}: ${ink} on ${ground} is ${ratio.toFixed(2)}`] : [];
  });
}
