/** Holds the one list of what secrets look like, and searches texts for it. */
import { readingOf } from "../reading.ts";
import type { SecretShape } from "../shape.ts";
import { ACCOUNTS } from "../shapes/accounts.ts";
import { ADDRESSES } from "../shapes/addresses.ts";
import { ARGUMENTS } from "../shapes/arguments.ts";
import { ASSIGNMENTS } from "../shapes/assignments.ts";
import { CALLS } from "../shapes/calls.ts";
import { CLOUDS } from "../shapes/clouds.ts";
import { COMMANDS } from "../shapes/commands.ts";
import { CONTEXTS } from "../shapes/contexts.ts";
import { FORGES } from "../shapes/forges.ts";
import { INSTALLATIONS } from "../shapes/installations.ts";
import { KEYS } from "../shapes/keys.ts";
import { LOGINS } from "../shapes/logins.ts";
import { MODELS } from "../shapes/models.ts";
import { PROGRAMS } from "../shapes/programs.ts";
import { SERVICES } from "../shapes/services.ts";
import { TOOLS } from "../shapes/tools.ts";
import { compile, type FoundSecret, type Search } from "./compile.ts";
import { secretOfKeyFile } from "./key-file.ts";
import { secretsOfTable } from "./table-file.ts";

/** The shapes that say most about a secret come first. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  ...KEYS,
  ...FORGES,
  ...CLOUDS,
  ...MODELS,
  ...SERVICES,
  ...ACCOUNTS,
  ...TOOLS,
  ...CONTEXTS,
  ...ADDRESSES,
  ...LOGINS,
  ...PROGRAMS,
  ...CALLS,
  ...COMMANDS,
  ...ARGUMENTS,
  ...INSTALLATIONS,
  ...ASSIGNMENTS,
];

let gate: Search | null = null;
let redactor: Search | null = null;

/** The secrets of a file that must not be published, without placeholders, examples and public halves. */
export function findSecrets(
  text: string,
  file: { readonly path: string; readonly isBinary: boolean },
): readonly FoundSecret[] {
  gate ??= compile(
    SECRET_SHAPES.filter(({ readers }) => readers.gate),
    () => true,
  );
  const plain = withTable(gate(text, file), file.isBinary ? [] : secretsOfTable(text, file.path));
  const found = file.isBinary ? plain : withEncoded(text, file.path, { plain, search: gate });
  return found.length > 0 ? found : secretOfKeyFile(text, file.path);
}

/** Adds the values of a column of secrets, unless their own shape is known. */
function withTable(plain: readonly FoundSecret[], cells: readonly FoundSecret[]): readonly FoundSecret[] {
  if (cells.length === 0) return plain;
  const known = new Set(plain.flatMap(({ start, end }) => [start, end]));
  const more = cells.filter(({ start, end }) => !known.has(start) && !known.has(end));
  return [...plain, ...more].toSorted((one, other) => one.start - other.start);
}

/** Adds secrets that only show in the decoded text. Their beginning is never shown. */
function withEncoded(
  text: string,
  path: string,
  { plain, search }: { readonly plain: readonly FoundSecret[]; readonly search: Search },
): readonly FoundSecret[] {
  const reading = readingOf(text);
  if (reading === null) return plain;
  const more: FoundSecret[] = [];
  let next = 0;
  for (const { name, ...part } of search(reading.text, { path, isBinary: false })) {
    const { start, end } = reading.written(part);
    while ((plain[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const isKnown = (plain[next]?.start ?? Number.POSITIVE_INFINITY) < end;
    if (!isKnown && start >= (more.at(-1)?.end ?? 0)) more.push({ name, hasPrefix: false, start, end });
  }
  return [...plain, ...more].toSorted((one, other) => one.start - other.start);
}

/** The secrets of an output that must not be stored; text that only looks like a secret counts too. */
export function findTokens(text: string): readonly FoundSecret[] {
  redactor ??= compile(
    SECRET_SHAPES.filter(({ readers }) => readers.redactor),
    ({ isAmbiguous }) => isAmbiguous,
  );
  return redactor(text, { path: "", isBinary: false });
}
