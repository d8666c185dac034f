/**
 * Knows what tokens of well-known services look like. No pattern takes more than linear time, whatever a text holds: each run is
 * bounded, or begins only where no longer one goes on.
 */

interface Shape {
  /** What nothing else begins with; a text without it is not looked at further. */
  readonly prefix: string;
  readonly body: string;
  /** Whether it counts only at the start of a word, since words and encoded data may hold it too. */
  readonly atWordStart?: true;
}

const SHAPES: readonly Shape[] = [
  // GitHub: personal, OAuth, user, server (dots and dashes in its newer form) and refresh tokens.
  { prefix: "gh[pousr]_", body: "[A-Za-z0-9._-]{19,}[A-Za-z0-9]" },
  { prefix: "github_pat_", body: "[A-Za-z0-9_]{20,}" },
  // GitLab: personal, deploy, runner, OAuth, job, trigger, feed, SCIM, mail, agent, feature flag and workspace tokens.
  {
    prefix: "gl(?:pat|dt|rtr?|oas|cbt|ptt|ft|soat|imt|agent|ffct|wt)-",
    body: "[A-Za-z0-9._=-]{15,}[A-Za-z0-9]",
  },
  { prefix: "sk-ant-", body: "[A-Za-z0-9_-]{16,}" },
  // OpenAI and those who took its form.
  { prefix: "sk-", body: "(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,}", atWordStart: true },
  { prefix: "(?:AKIA|ASIA)", body: "[0-9A-Z]{16}" },
  { prefix: "xox[abeoprs]-", body: "[A-Za-z0-9-]{10,}" },
  { prefix: "xapp-", body: "[0-9]-[A-Za-z0-9-]{20,}" },
  { prefix: "hooks\\.slack\\.com/(?:services|workflows)/", body: "[A-Za-z0-9/_-]{20,}" },
  { prefix: "AIza", body: "[0-9A-Za-z_-]{35}", atWordStart: true },
  { prefix: "ya29\\.", body: "[A-Za-z0-9_-]{20,}" },
  { prefix: "GOCSPX-", body: "[A-Za-z0-9_-]{20,}" },
  { prefix: "npm_", body: "[A-Za-z0-9]{36}" },
  { prefix: "pypi-Ag", body: "[A-Za-z0-9_-]{30,}" },
  { prefix: "[sr]k_(?:live|test)_", body: "[A-Za-z0-9]{16,}" },
  { prefix: "whsec_", body: "[A-Za-z0-9]{24,}" },
  { prefix: "hf_", body: "[A-Za-z0-9]{30,}", atWordStart: true },
  { prefix: "SG\\.", body: "[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}" },
  { prefix: "do[opr]_v1_", body: "[a-f0-9]{64}" },
  { prefix: "dckr_pat_", body: "[A-Za-z0-9_-]{20,}" },
  { prefix: "hvs\\.", body: "[A-Za-z0-9_-]{24,}" },
  // A JSON web token: two encoded objects and a signature.
  {
    prefix: "eyJ",
    body: "[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}",
    atWordStart: true,
  },
];

/** Where an `sk-` is no end of a word such as `task-`: at a border, or behind a colour code. */
const WORD_START = "(?:(?<![A-Za-z0-9_-])|(?<=\\x1b\\[[0-9;]{0,20}m))";

/** Sources of patterns for the tokens themselves, and for what every text with one of them holds. */
export const TOKEN_SHAPES: readonly string[] = SHAPES.map(
  ({ prefix, body, atWordStart }) => `${atWordStart ? WORD_START : ""}${prefix}${body}`,
);
export const TOKEN_PREFIXES: readonly string[] = SHAPES.map(({ prefix }) => prefix);

/** Quotes, as they are or escaped in JSON inside JSON. */
const QUOTES = `["'\\\\]{0,4}`;
const EQUALS = `${QUOTES}\\s{0,4}[:=]\\s{0,4}${QUOTES}`;

/** Secrets that are known by what stands in front of them, the first group; case does not matter. */
const NAMED: readonly string[] = [
  `((?:proxy-)?authorization${EQUALS}(?:basic|bearer|token|digest|negotiate)\\s{1,4})[A-Za-z0-9+/=._~-]{8,}`,
  "(\\bbearer\\s{1,4})(?=[A-Za-z+/=._~-]{0,80}[0-9])[A-Za-z0-9+/=._~-]{20,}",
  `((?:private|job|deploy|x-auth)-token${EQUALS}|x-(?:goog-)?api-key${EQUALS})[A-Za-z0-9+/=._~-]{8,}`,
  `(secret_?access_?key${EQUALS})[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])`,
  `(session_?token${EQUALS})[A-Za-z0-9+/=]{100,}`,
  `(_(?:auth|authtoken|password)\\s{0,2}=\\s{0,2}${QUOTES})[A-Za-z0-9+/=._~-]{8,}`,
  // A line of `.netrc`.
  '(\\bmachine\\s{1,4}\\S{1,255}\\s{1,4}(?:login\\s{1,4}\\S{1,255}\\s{1,4})?password\\s{1,4})[^\\s"\\\\]{1,1000}',
  "(://[^\\s/:@'\"<>\\\\]{0,100}:)[^\\s/@'\"<>\\\\]{1,1000}(?=@)",
  "(https?://)[^\\s/:@'\"<>\\\\]{16,300}(?=@)",
  "([?&](?:access_token|private_token|api_key|token|password|client_secret)=)[^\\s&'\"#<>\\\\]{8,1000}",
];

/** What every text holds in which one of those is. */
const NAMED_HINTS: readonly string[] = [
  "authorization",
  "\\bbearer\\s",
  "-token",
  "api-key",
  "access_?key",
  "session_?token",
  "_auth",
  "_password",
  "\\bmachine\\s",
  "://[^\\s/'\"<>]{1,1200}@",
  "[?&](?:access_token|private_token|api_key|token|password|client_secret)=",
];

const named = new RegExp(NAMED.join("|"), "gi");
/** One by one: four times as fast as all in one, in every text without any. */
const hints = NAMED_HINTS.map((hint) => new RegExp(hint, "i"));

/** Whether a text may hold a secret that is known by what stands in front of it. */
export function hintsAtNamed(text: string): boolean {
  return hints.some((hint) => hint.test(text));
}

/** The text with those replaced, and what stands in front of them as it was. */
export function replaceNamed(text: string, replacement: string): string {
  return text.replace(named, (_, ...found: unknown[]) => {
    const front = found.slice(0, NAMED.length).find((group) => typeof group === "string");
    return `${front ?? ""}${replacement}`;
  });
}
