/** Takes secrets out of the lines that an agent prints, without breaking lines of JSON. */

/** Redacts one line after the other; a private key that runs over several plain lines is remembered in between. */
export interface Redactor {
  /** The line with every secret replaced by `[redacted]`; a line of valid JSON stays valid JSON. */
  line(text: string): string;
}

const REDACTED = "[redacted]";

/** Shorter values are words, not secrets: replacing them would garble the log. */
const SHORTEST_VALUE = 8;

/** Most plain lines after the head of a private key that are taken for its body. */
const LONGEST_KEY = 200;

/** Where an `sk-` is no end of a word such as `task-`: at a border, or behind a colour code. */
const WORD_START = "(?:(?<![A-Za-z0-9_-])|(?<=\\x1b\\[[0-9;]*m))";

const TOKEN_SHAPES = [
  "gh[pousr]_[A-Za-z0-9]{20,}",
  "github_pat_[A-Za-z0-9_]{20,}",
  "glpat-[A-Za-z0-9_-]{16,}",
  "sk-ant-[A-Za-z0-9_-]{16,}",
  `${WORD_START}sk-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}`,
  "(?:AKIA|ASIA)[0-9A-Z]{16}",
  "xox[abeoprs]-[A-Za-z0-9-]{10,}",
  "AIza[0-9A-Za-z_-]{35}",
  "npm_[A-Za-z0-9]{36}",
  "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}",
];

const KEY_HEAD = "-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----";
const KEY_FOOT = "-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----";
/** A whole key, or one that is cut off before its end. */
const PRIVATE_KEY = `${KEY_HEAD}[\\s\\S]*?(?:${KEY_FOOT}|$)`;

/**
 * A redactor for these secret values (as they are, and as JSON and URLs spell them) and for the shapes of
 * well-known tokens. In a line of JSON only strings are changed, as they read when decoded.
 */
export function createRedactor(options: { readonly values: readonly string[] }): Redactor {
  const values = [...new Set(options.values.flatMap(spellings))].sort((a, b) => b.length - a.length);
  const parts = [PRIVATE_KEY, ...values.map(escapeRegExp), ...TOKEN_SHAPES];
  const secret = new RegExp(parts.join("|"), "g");
  // A string that begins with the escape `\n` has a letter in front of its secret, so this one asks for no border.
  const suspect = new RegExp(parts.map((part) => part.replace(WORD_START, "")).join("|"));
  // A value that JSON must escape is escaped once more in JSON inside JSON.
  const hiding = values.some((value) => /["\\\p{Cc}]/u.test(value)) ? /\\/ : /\\[u/]/;
  const redact = (text: string) => text.replace(secret, REDACTED);
  const plain = createPlainRedactor(redact);

  return {
    line: (text) => {
      if (!/^\s*[[{]/.test(text)) return plain(text);
      // Most lines hold no secret, and most escapes could hide none.
      if (!suspect.test(text) && !hiding.test(text)) return text;
      return isJson(text) ? redactStrings(text, redact) : plain(text);
    },
  };
}

/** Redacts text that is no JSON, with the lines that follow the head of a private key. */
function createPlainRedactor(redact: (text: string) => string): (text: string) => string {
  const head = new RegExp(KEY_HEAD);
  const foot = new RegExp(KEY_FOOT);
  let keyLinesLeft = 0;
  return (text) => {
    if (keyLinesLeft > 0) {
      keyLinesLeft = foot.test(text) ? 0 : keyLinesLeft - 1;
      return REDACTED;
    }
    if (head.test(text) && !foot.test(text)) keyLinesLeft = LONGEST_KEY;
    return redact(text);
  };
}

/** Variables that only sound secret: `GIT_CONFIG_KEY_0` names a setting. */
const NOT_SECRET = /^GIT_CONFIG_KEY_\d+$/;
const SECRET_NAME = /TOKEN|KEY|SECRET|PASSWORD|PASSWD/i;

/**
 * The values of an environment that must never be stored: of variables whose names say so (TOKEN, KEY, SECRET,
 * PASSWORD) and of those in `names`, where they have at least 8 characters.
 */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly names: readonly string[] },
): readonly string[] {
  const named = new Set(options.names);
  const isSecret = (name: string) => named.has(name) || (SECRET_NAME.test(name) && !NOT_SECRET.test(name));
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST_VALUE && isSecret(name) ? [value] : [],
  );
}

/** A value as it may stand in a line: bare, inside JSON, inside a URL, and the lines of one that has several. */
function spellings(value: string): string[] {
  const lines = value.split(/\r?\n/);
  const whole = [
    value,
    JSON.stringify(value).slice(1, -1),
    value.isWellFormed() ? encodeURIComponent(value) : value,
  ];
  return [...whole, ...(lines.length > 1 ? lines : [])].filter((text) => text.length >= SHORTEST_VALUE);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Valid JSON with each of its strings redacted as it reads decoded; everything else stays byte for byte. */
function redactStrings(json: string, redact: (text: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let open = json.indexOf('"'); open >= 0; ) {
    const end = endOfString(json, open);
    const decoded = String(JSON.parse(json.slice(open, end)));
    const clean = redact(decoded);
    if (clean !== decoded) {
      parts.push(json.slice(copied, open), JSON.stringify(clean));
      copied = end;
    }
    open = json.indexOf('"', end);
  }
  return parts.join("") + json.slice(copied);
}

/** The index behind the quote that closes the string which opens at `open`. */
function endOfString(json: string, open: number): number {
  let at = open + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}
