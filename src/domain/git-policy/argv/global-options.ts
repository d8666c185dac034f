/** Reads the options of git itself, which come before the subcommand. */
import { optionTable, refused, safe } from "../parse/option-spec.ts";
import { readOption } from "../parse/parse-call.ts";
import { type Finding, never, type Why } from "../verdicts/verdict.ts";

interface GlobalOptions {
  /** The subcommand and the words after it. */
  readonly rest: readonly string[];
  /** Values of `-C`, each relative to the one before. */
  readonly folders: readonly string[];
  readonly findings: readonly Finding[];
  /** Whether git only prints something about itself. */
  readonly printsOnly: boolean;
}

const ELSEWHERE: Why = {
  rule: "global-option.place",
  because: "makes git work on another repository or other files",
  instead: "Give cwd, or -C with a folder of the workspace.",
};

const PROGRAMS: Why = {
  rule: "global-option.program",
  because: "makes git run other programs",
  instead: "Leave it out.",
};

const PRINTS = ["--version", "-v", "--help", "-h", "--html-path", "--man-path", "--info-path", "--exec-path"];

const OPTIONS = optionTable(
  safe(`
    -C=, -c=, -P --no-pager, --no-optional-locks, --no-replace-objects, --no-lazy-fetch, --no-advice,
    --literal-pathspecs, --glob-pathspecs, --noglob-pathspecs, --icase-pathspecs
  `),
  refused(ELSEWHERE, "--git-dir=, --work-tree=, --namespace=, --super-prefix=, --attr-source=, --bare"),
  refused(PROGRAMS, "--exec-path=!, -p --paginate"),
  refused(
    { rule: "global-option.configuration", because: "sets configuration, which can name programs" },
    "--config-env=",
  ),
);

/** Keys that change only the output or the committer, with their allowed values. */
const HARMLESS_SETTINGS: readonly (readonly [RegExp, RegExp])[] = [
  [/^core\.quotepath$/, /^(?:true|false)$/],
  [/^core\.pager$/, /^(?:cat)?$/],
  [/^pager\.[a-z-]+$/, /^false$/],
  [/^core\.(?:abbrev|autocrlf|safecrlf|ignorecase|precomposeunicode|longpaths)$/, /^[a-z0-9]+$/],
  [/^core\.fsmonitor$/, /^false$/],
  [/^core\.hookspath$/, /^\/dev\/null$/],
  [/^core\.commentchar$/, /^.{1,5}$/],
  [/^color\.[a-z]+(?:\.[a-z]+)?$/, /^[a-z0-9# ]+$/i],
  [/^column\.[a-z]+$/, /^[a-z, ]+$/],
  [/^advice\.[a-z]+$/, /^(?:true|false)$/],
  [/^(?:commit|tag|push)\.gpgsign$/, /^false$/],
  [/^log\.(?:date|decorate|abbrevcommit|follow|mailmap|showsignature)$/, /^[a-z0-9:%-]+$/i],
  [
    /^diff\.(?:renames|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved|interhunkcontext)$/,
    /^[a-z0-9-]+$/,
  ],
  [/^diff\.(?:wserrorhighlight|statgraphwidth)$/, /^[a-z0-9,]+$/],
  [/^merge\.(?:conflictstyle|renames|renamelimit|ff|stat)$/, /^[a-z0-9]+$/],
  [/^status\.[a-z]+$/, /^[a-z0-9]+$/],
  [/^(?:user|author|committer)\.(?:name|email)$/, /^[^\n]*$/],
  [/^init\.defaultbranch$/, /^[\w./-]+$/],
  [/^pull\.(?:rebase|ff)$/, /^(?:true|false|only|merges)$/],
  [/^push\.default$/, /^(?:nothing|current|upstream|simple)$/],
  [/^rebase\.(?:autostash|autosquash|updaterefs)$/, /^(?:true|false)$/],
  [/^(?:gc|maintenance)\.auto$/, /^(?:0|false)$/],
];

export function readGlobalOptions(words: readonly string[]): GlobalOptions {
  const folders: string[] = [];
  const findings: Finding[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) break;
    if (PRINTS.includes(word)) return { rest: words.slice(at), folders, findings, printsOnly: true };
    // Git takes no clusters and no stuck values before the subcommand.
    const taken = /^-[a-zA-Z].+/.test(word) ? null : readOption("itself", word, words[at + 1], OPTIONS);
    if (taken === null || taken.isErr())
      return { rest: [], folders, findings: [...findings, unknown(word)], printsOnly: false };
    for (const { given, spec, value } of taken.value.options) {
      if (typeof spec.effect === "object") findings.push(never(given, spec.effect.why));
      if (spec.id === "C" && value !== null && value !== "") folders.push(value);
      if (spec.id === "c" && !isHarmlessSetting(value ?? "")) findings.push(unsafeSetting(value ?? ""));
    }
    at += taken.value.next;
  }
  return {
    rest: words.slice(at),
    folders,
    findings,
    printsOnly: words.length === at && findings.length === 0,
  };
}

function isHarmlessSetting(setting: string): boolean {
  const equals = setting.indexOf("=");
  const key = (equals === -1 ? setting : setting.slice(0, equals)).toLowerCase();
  const value = equals === -1 ? "true" : setting.slice(equals + 1);
  return HARMLESS_SETTINGS.some(([keys, values]) => keys.test(key) && values.test(value));
}

function unsafeSetting(setting: string): Finding {
  const [key = ""] = setting.split("=", 1);
  return never(`-c ${key}`, {
    rule: "global-option.configuration",
    because: "sets configuration that is not known to be harmless with that value",
    instead: "Leave it out.",
  });
}

function unknown(word: string): Finding {
  const [name = ""] = word.split("=", 1);
  return never(name, {
    rule: "global-option.unknown",
    because: "is no option of git itself that is allowed here",
    instead: "Put the subcommand first and its options after it.",
  });
}
