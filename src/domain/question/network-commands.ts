/** Knows the commands that reach the network. */

/** Programs that are made for it. */
const ALWAYS = new Set(
  (
    "aria2c aws az bunx curl dig doctl fly ftp gcloud gh glab heroku helm host http https kubectl mosh nc ncat " +
    "netcat npx nslookup ping pipx scp sftp ssh telnet terraform vercel wget whois xh"
  ).split(" "),
);

const PACKAGES = "add audit ci create dlx exec i init install outdated publish update upgrade view";

/** Programs that reach it with some subcommands only. An empty word stands for none. */
const WITH: Readonly<Record<string, string>> = {
  npm: PACKAGES,
  pnpm: PACKAGES,
  bun: `${PACKAGES} x`,
  yarn: `${PACKAGES} up `,
  deno: "add cache install publish upgrade",
  pip: "download index install wheel",
  pip3: "download index install wheel",
  uv: "add lock pip publish python run sync tool",
  poetry: "add install lock publish update",
  conda: "create install update",
  cargo: "add fetch install publish search update",
  go: "get install mod",
  gem: "fetch install push update",
  bundle: "add install update",
  composer: "create-project install require update",
  apt: "install update upgrade",
  "apt-get": "install update upgrade",
  apk: "add update upgrade",
  dnf: "install update upgrade",
  yum: "install update upgrade",
  brew: "install update upgrade",
  git: "clone fetch ls-remote pull push submodule",
  docker: "build compose login pull push run",
  podman: "build login pull push run",
};

/** Words in front of a program that only start it. */
const STARTERS = new Set("command env exec nice nohup sudo time timeout xargs".split(" "));
const SHELLS = new Set("ash bash dash fish ksh sh zsh".split(" "));
const MAX_JUDGED = 100_000;

/** The words of each command in a shell's text, the program's bare name first. */
export function shellSegments(text: string): readonly (readonly string[])[] {
  return text
    .slice(0, MAX_JUDGED)
    .split(/[;&|\n()`{}]|\$\(/)
    .map((segment) => programFirst(wordsOf(segment)))
    .filter((words) => words.length > 0);
}

function wordsOf(segment: string): readonly string[] {
  const words = segment.split(/\s+/).map((word) => word.replace(/^["']+|["']+$/g, ""));
  return words.filter((word) => word !== "");
}

function programFirst(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word) => !/^[A-Za-z_]\w*=/.test(word) && !STARTERS.has(word) && !/^-|^\d+[smhd]?$/.test(word),
  );
  if (at === -1) return [];
  const [program = "", ...rest] = words.slice(at);
  const name = program.replace(/^.*[/\\]/, "").replace(/\.exe$/, "");
  const script = SHELLS.has(name) ? rest.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1;
  if (script !== -1) return programFirst(rest.slice(script + 1));
  const module = /^python[\d.]*$/.test(name) && rest[0] === "-m" ? rest.slice(1) : null;
  return module ?? [name, ...rest];
}

/** The command (program and subcommand) that reaches the network; null if none in this text is known to. */
export function networkUse(text: string): string | null {
  for (const [program = "", ...words] of shellSegments(text)) {
    if (ALWAYS.has(program)) return program;
    const subcommands = Object.hasOwn(WITH, program) ? WITH[program]?.split(" ") : undefined;
    const subcommand = subcommandOf(program, words);
    if (subcommands?.includes(subcommand)) return `${program} ${subcommand}`.trim();
    if (program === "rsync" && words.some((word) => /^[\w.@-]+:/.test(word))) return program;
  }
  return null;
}

/** Git's options before its subcommand may have a word of their own. */
function subcommandOf(program: string, words: readonly string[]): string {
  let at = 0;
  while (words[at]?.startsWith("-")) at += program === "git" && /^-[cC]$/.test(words[at] ?? "") ? 2 : 1;
  return words[at] ?? "";
}
