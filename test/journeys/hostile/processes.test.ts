/** Tells that nothing an agent starts outlives its run, however it forks, hides, ignores or kills. */
import { expect, setDefaultTimeout } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { hostileAgents } from "./ground.ts";

setDefaultTimeout(PATIENCE_MS);

const NO_PERL = Bun.which("perl") === null && "no perl";
/** Waits until a program has come so far; a hostile one is to be there before its agent ends. */
const until = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;

hostileAgents("processes", [
  {
    name: "left twice, in a session of its own, without any environment, deaf to TERM, INT and HUP (promise 4.4)",
    script: `(setsid env -i PATH="$PATH" sh -c 'trap "" HUP INT TERM; (setsid sh -c "trap \\"\\" TERM; : > up.local; while :; do sleep '$mark'; done" &) ; : ' </dev/null >/dev/null 2>&1 &); ${until("up.local")}`,
  },
  {
    name: "under another name, in another folder",
    script: `cp "$(command -v sleep)" "$TMPDIR/kworker" 2>/dev/null || cp "$(command -v sleep)" ./kworker.local; k=$(ls "$TMPDIR/kworker" ./kworker.local 2>/dev/null | head -1); k=$(realpath "$k"); (cd / && setsid env -i "$k" $mark >/dev/null 2>&1 &); sleep 0.1; rm -f "$k"`,
  },
  {
    name: "holding its pipes open after the agent's end",
    script: `(setsid env -i PATH="$PATH" sleep $mark &); (setsid sh -c "exec 3>&1 4>&2 >/dev/null 2>&1; sleep $mark" &); sleep 0.1`,
  },
  {
    name: "printing on in the background after the agent's end",
    script: `(setsid env -i PATH="$PATH" sh -c 'while :; do echo "still here '$mark'"; done' &); sleep 0.1`,
  },
  {
    name: "a crowd that starts itself again whenever one dies",
    script: `trap '' TERM; n=0; while [ $n -lt 30 ]; do n=$((n+1)); (setsid env -i PATH="$PATH" sh -c 'trap "" TERM HUP INT; while :; do sleep '$mark'; done' >/dev/null 2>&1 &); done; sleep 0.3`,
  },
  {
    name: "forking without end, each in a session of its own and gone at once",
    skip: NO_PERL,
    script: `: > beats.local; perl -e 'use POSIX qw(setsid); $SIG{$_}="IGNORE" for qw(TERM HUP INT); %ENV=(); open STDOUT,">/dev/null"; open STDERR,">/dev/null"; open BEATS,">>","beats.local"; for (1..3) { next if fork; while (1) { setsid; syswrite BEATS,"x"; exit if fork or not -e "beats.local" } }'; until [ $(wc -c < beats.local) -gt 300 ]; do sleep 0.02; done`,
    after: async ({ attempt }) => {
      const beats = join(attempt.worktree, "beats.local");
      const size = (await readFile(beats)).length;
      for (let look = 0; look < 10; look++) {
        await Bun.sleep(10);
        expect((await readFile(beats)).length).toBe(size);
      }
    },
  },
  {
    name: "a bomb that doubles, bounded by its depth",
    script: `cat > bomb.local <<'BOMB'
trap '' TERM
[ "$1" = 0 ] && exec sleep $2
setsid sh bomb.local $(($1 - 1)) $2 & setsid sh bomb.local $(($1 - 1)) $2 &
wait
BOMB
env -i PATH="$PATH" sh bomb.local 7 $mark >/dev/null 2>&1 & sleep 0.2`,
  },
  {
    name: "a hog of memory",
    script: `head -c 200000000 /dev/zero | tail -c 200000000 | wc -c > hog.txt`,
  },
  {
    name: "stopping itself, and a child that is stopped",
    script: `(setsid env -i PATH="$PATH" sh -c 'kill -STOP $$; sleep '$mark >/dev/null 2>&1 &); sleep 0.1`,
  },
  {
    name: "killing its parent (promise 5.1)",
    ends: { sandbox: "pushed", guard: "interrupted" },
    script: `kill -9 $PPID; sleep 0.3`,
  },
  {
    name: "killing its parent, with a child in a session of its own",
    ends: { sandbox: "pushed", guard: "interrupted" },
    script: `(setsid sh -c 'trap "" TERM; : > up.local; sleep '$mark >/dev/null 2>&1 &); ${until("up.local")}; kill -9 $PPID; sleep 0.3`,
  },
  {
    name: "asking its parent to end",
    ends: { sandbox: "pushed", guard: ["CANCELED", "interrupted"] },
    script: `kill -TERM $PPID; sleep 0.3`,
  },
  {
    name: "a mark of another run on what it leaves behind",
    script: `(TAZUNA_RUN=00000000-0000-4000-8000-000000000000 setsid sleep $mark >/dev/null 2>&1 &); sleep 0.1`,
  },
]);
