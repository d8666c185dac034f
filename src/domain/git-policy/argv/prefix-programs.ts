/** Lists programs that start the program named in their arguments, with enough grammar to find it. */
import { type OptionTable, optionTable, refused, safe } from "../parse/option-spec.ts";
import type { Why } from "../verdicts/verdict.ts";

export interface PrefixProgram {
  readonly options: OptionTable;
  /** How many operands come before the program, such as the duration of `timeout`. */
  readonly operands: number;
  /** Whether `NAME=VALUE` may come before the program. */
  readonly assignments: boolean;
  /** Why git must never be started this way. */
  readonly refused: Why | null;
}

const STRIPS_PROTECTION: Why = {
  rule: "argv.environment",
  because: "takes away the variables that keep git from running what a repository names",
  instead: "Call git without it.",
};

const UNSEEN_ARGUMENTS: Why = {
  rule: "argv.unseen-arguments",
  because: "gives git unchecked arguments",
  instead: "Call git with its arguments written out.",
};

const OTHER_USER: Why = {
  rule: "argv.other-user",
  because: "runs git as another user",
  instead: "Call git without it.",
};

const UNREADABLE: Why = {
  rule: "argv.unclear",
  because: "hides which command is run",
  instead: "Call git directly.",
};

function prefix(options: OptionTable, more: Partial<PrefixProgram> = {}): PrefixProgram {
  return { options, operands: 0, assignments: false, refused: null, ...more };
}

const NO_OPTIONS = optionTable();

const ENV = prefix(
  optionTable(
    safe(`
      -0 --null, -v --debug, -C= --chdir=, --block-signal[=], --default-signal[=], --ignore-signal[=],
      --list-signal-handling
    `),
    refused(STRIPS_PROTECTION, "-i --ignore-environment, -u= --unset=, -P="),
    refused(UNREADABLE, "-S= --split-string=, -a= --argv0="),
  ),
  { assignments: true },
);

const TIMEOUT = prefix(
  optionTable(safe("-s= --signal=, -k= --kill-after=, -f --foreground, -p --preserve-status, -v --verbose")),
  { operands: 1 },
);

const XARGS = prefix(
  optionTable(
    safe(`
      -0 --null, -a= --arg-file=, -d= --delimiter=, -E=, -e[=] --eof[=], -I=, -i[=] --replace[=], -J=,
      -L=, -l[=] --max-lines[=], -n= --max-args=, -o --open-tty, -P= --max-procs=, -p --interactive,
      --process-slot-var=, -r --no-run-if-empty, -R=, -s= --max-chars=, -S=, -t --verbose, -x --exit
    `),
  ),
  { refused: UNSEEN_ARGUMENTS },
);

const SUDO = prefix(
  optionTable(
    safe(`
      -A --askpass, -b --background, -C= --close-from=, -D= --chdir=, -E --preserve-env[=], -g= --group=,
      -H --set-home, -h= --host=, -i --login, -k --reset-timestamp, -n --non-interactive,
      -P --preserve-groups, -p= --prompt=, -R= --chroot=, -r= --role=, -S --stdin, -s --shell,
      -T= --command-timeout=, -t= --type=, -U= --other-user=, -u= --user=
    `),
  ),
  { assignments: true, refused: OTHER_USER },
);

const TIME = prefix(
  optionTable(
    safe("-p --portability, -v --verbose, -q --quiet, -a --append, -f= --format="),
    refused({ ...UNREADABLE, because: "writes a file" }, "-o= --output="),
  ),
);

export const PREFIX_PROGRAMS: ReadonlyMap<string, PrefixProgram> = new Map([
  ["env", ENV],
  ["genv", ENV],
  ["timeout", TIMEOUT],
  ["gtimeout", TIMEOUT],
  ["xargs", XARGS],
  ["gxargs", XARGS],
  ["sudo", SUDO],
  ["doas", prefix(optionTable(safe("-n, -s, -L, -C=, -u=")), { refused: OTHER_USER })],
  ["time", TIME],
  ["gtime", TIME],
  ["nohup", prefix(NO_OPTIONS)],
  ["nice", prefix(optionTable(safe("-<n>, -n= --adjustment=")))],
  ["ionice", prefix(optionTable(safe("-c= --class=, -n= --classdata=, -t --ignore")))],
  ["setsid", prefix(optionTable(safe("-c --ctty, -f --fork, -w --wait")))],
  ["stdbuf", prefix(optionTable(safe("-i= --input=, -o= --output=, -e= --error=")))],
  ["command", prefix(optionTable(safe("-p, -v, -V")))],
  ["exec", prefix(optionTable(safe("-c, -l, -a=")))],
  ["busybox", prefix(NO_OPTIONS)],
  ["toybox", prefix(NO_OPTIONS)],
  ["taskset", prefix(optionTable(safe("-a --all-tasks, -c --cpu-list")), { operands: 1 })],
  ["flock", prefix(optionTable(safe("-s, -x, -e, -n, -w=, -o, -F, -u, -E=")), { operands: 1 })],
  ["strace", prefix(optionTable(safe("-f, -q, -e=, -s=")))],
  ["setpriv", prefix(optionTable(safe("--no-new-privs")))],
  ["script", prefix(NO_OPTIONS)],
  ["caffeinate", prefix(optionTable(safe("-d, -i, -m, -s, -u, -t=, -w=")))],
  ["chronic", prefix(optionTable(safe("-v, -e")))],
  ["unbuffer", prefix(optionTable(safe("-p")))],
]);
