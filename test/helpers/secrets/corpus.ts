/** Builds the corpus of credentials and of their harmless twins. */
import { CONTEXT_TEMPLATES, type FileTemplate } from "./context-templates.ts";
import { base64Lines, type Draw, drawsOf, fill } from "./draw.ts";
import { ENCODED_HARMLESS, ENCODED_TEMPLATES } from "./encoded-templates.ts";
import { FIFTH_HARMLESS, FIFTH_TEMPLATES } from "./fifth-templates.ts";
import { FOURTH_HARMLESS } from "./fourth-harmless.ts";
import { FOURTH_TEMPLATES } from "./fourth-templates.ts";
import { HARMLESS } from "./harmless.ts";
import { type CorpusFile, FILLER, KINDS } from "./kinds-of-files.ts";
import { SECOND_HARMLESS } from "./second-harmless.ts";
import { SECOND_TEMPLATES } from "./second-templates.ts";
import { SIXTH_HARMLESS, SIXTH_TEMPLATES } from "./sixth-templates.ts";
import { SWEPT_HARMLESS, SWEPT_TEMPLATES } from "./swept-files.ts";
import { THIRD_HARMLESS } from "./third-harmless.ts";
import { THIRD_TEMPLATES } from "./third-templates.ts";
import { TOKEN_TEMPLATES } from "./token-templates.ts";
import { VENDOR_HARMLESS } from "./vendor-harmless.ts";
import { VENDOR_FILES } from "./vendor-templates.ts";

export interface CorpusEntry {
  readonly name: string;
  readonly file: CorpusFile;
}

const ROUNDS = 2;

/** Every shape twice, in two kinds of files; what is known by its surroundings in its own file. */
export function credentials(): readonly CorpusEntry[] {
  const tokens = TOKEN_TEMPLATES.flatMap(({ name, template }, index) =>
    Array.from({ length: ROUNDS }, (_, round) => {
      const draw = drawsOf(`${name} ${round}`);
      const kind = KINDS[(index * 3 + round * 11) % KINDS.length];
      if (kind === undefined) throw new Error("no kind of file");
      return { name, file: kind(fill(template, draw)) } as const;
    }),
  );
  const files = [
    ...CONTEXT_TEMPLATES,
    ...SECOND_TEMPLATES,
    ...THIRD_TEMPLATES,
    ...VENDOR_FILES,
    ...SWEPT_TEMPLATES,
  ].map(entryOf);
  return [...tokens, ...files, ...lastMissed()];
}

/** What a blind corpus showed to be missing, and is found since. */
export function lastMissed(): readonly CorpusEntry[] {
  return [...FOURTH_TEMPLATES, ...ENCODED_TEMPLATES, ...FIFTH_TEMPLATES, ...SIXTH_TEMPLATES].map(entryOf);
}

/** Harmless texts in the place of a secret: two of each shape, and files full of look-alikes. */
export function harmless(): readonly CorpusEntry[] {
  const twins = TOKEN_TEMPLATES.flatMap(({ name, template }, index) =>
    Array.from({ length: ROUNDS }, (_, round) => {
      const twin = TWINS[(index + round * 4) % TWINS.length];
      const kind = KINDS[(index * 5 + round * 7) % KINDS.length];
      if (kind === undefined || twin === undefined) throw new Error("no kind of file");
      const value = twin(template, drawsOf(`${name} twin ${round}`));
      return { name: `${name}: ${value.slice(0, 60)}`, file: kind(value) } as const;
    }),
  );
  const files = [
    ...HARMLESS,
    ...SECOND_HARMLESS,
    ...THIRD_HARMLESS,
    ...FOURTH_HARMLESS,
    ...SWEPT_HARMLESS,
    ...ENCODED_HARMLESS,
    ...VENDOR_HARMLESS,
    ...FIFTH_HARMLESS,
    ...SIXTH_HARMLESS,
  ].map(entryOf);
  return [...twins, ...files];
}

const DRAWN = /<(?:[A-Za-z]\d+|uuid|jwt|pem)>/g;
const lengthOf = (drawn: string) => Number(/\d+/.exec(drawn)?.[0] ?? 36);
const upTo = (template: string) => template.slice(0, Math.max(template.search(DRAWN), 0));

/** How people write a token that is none. */
const TWINS: readonly ((template: string, draw: Draw) => string)[] = [
  (template) => template.replace(DRAWN, (drawn) => "x".repeat(lengthOf(drawn))),
  (template) => `${upTo(template)}your-token-here`,
  (template) =>
    template.replace(DRAWN, (drawn) =>
      "1234567890abcdefghijklmnopqrstuvwxyz".repeat(9).slice(0, lengthOf(drawn)),
    ),
  (template, draw) => {
    const filled = fill(template, draw);
    return `${filled.slice(0, -7)}EXAMPLE`;
  },
  (template, draw) => `${upTo(template)}${fill("<A4>", draw)}...`,
  (template) => `${upTo(template)}\${TOKEN}`,
  (template) => `${upTo(template)}<token>`,
  (template) => template.replace(DRAWN, (drawn) => "0".repeat(lengthOf(drawn))),
  (template) => template.replace(DRAWN, (drawn) => "a1b2c3d4e5f6g7h8".repeat(30).slice(0, lengthOf(drawn))),
];

function entryOf({ name, path, text }: FileTemplate): CorpusEntry {
  const draw = drawsOf(name);
  return { name, file: { path, bytes: bytesOf(special(text, draw), draw) } };
}

function special(text: string, draw: Draw): string {
  return text
    .replaceAll("@filler@", FILLER)
    .replace(/@base64\(([^)]*)\)@/g, (_, said: string) => btoa(fill(said, draw)))
    .replace("@base32@", () => fill("<b52>", draw).toLowerCase())
    .replace("@basic@", () => btoa(`robot:${fill("<A20>", draw)}`))
    .replace("@pemline@", () => base64Lines(draw, 1200).replaceAll("\n", "\\n"))
    .replace("@pem64@", () =>
      btoa(`-----BEGIN RSA PRIVATE KEY-----\n${base64Lines(draw, 600)}\n-----END RSA PRIVATE KEY-----\n`),
    );
}

function bytesOf(text: string, draw: Draw): Uint8Array {
  return new TextEncoder().encode(fill(text, draw));
}
