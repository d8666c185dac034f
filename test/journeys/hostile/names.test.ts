/** Tells that files of any name and kind are published, or that Tazuna says why not. */
import { expect, setDefaultTimeout } from "bun:test";
import { noteCodes, PATIENCE_MS } from "../../helpers/journey.ts";
import { hostileAgents } from "./ground.ts";

setDefaultTimeout(PATIENCE_MS);

hostileAgents("names", [
  {
    name: "line breaks, tabs, escapes, bells, DEL",
    script: `n=$(printf 'a\\nb\\tc\\033[31md\\007\\177'); echo x > "$n"; mkdir "$n.d"; echo y > "$n.d/$n"`,
  },
  {
    name: "right-to-left override, zero width, NFC and NFD twins",
    script: `echo x > "$(printf 'safe\\342\\200\\256txt.exe')"; echo y > "$(printf 'in\\342\\200\\213visible')"; echo 1 > "$(printf 'caf\\303\\251')"; echo 2 > "$(printf 'cafe\\314\\201')"`,
  },
  {
    name: "bytes that are no UTF-8",
    script: `echo x > "$(printf 'bad\\377\\376name')"; mkdir "$(printf '\\300\\257')"; echo y > "$(printf '\\300\\257')/f"`,
  },
  {
    name: "options and pathspec magic",
    script: `for n in -- -f --force -rf --upload-pack=x ':(glob)**' ':(exclude)*' ':/' ':!x' '*' '?' '[a]' '@' '@{u}' HEAD '~' '$(touch owned)' '\`touch owned\`' ';' '|' '&&' '%s' '%00' "$(git rev-parse HEAD)"; do echo x > "./$n"; done; mkdir -- -d; echo y > ./-d/--`,
  },
  {
    name: "255 bytes, and 255 bytes of three each",
    script: `n=$(printf 'a%.0s' $(seq 255)); echo x > "$n"; w=$(printf '\\343\\201\\202%.0s' $(seq 85)); mkdir "$w"; echo y > "$w/$w"`,
  },
  {
    name: "deeper than a path may be long",
    script: `n=$(printf 'd%.0s' $(seq 200)); perl -e 'for (1..30) { mkdir $ARGV[0]; chdir $ARGV[0] or die } open F, ">deep.txt"; print F "deep"' "$n"`,
    after: (end) => expect(noteCodes(end.run)).toEqual(["left_out"]),
  },
  {
    name: "twins that differ in case",
    script: `echo 1 > README.MD; echo 2 > readme.md; mkdir SRC src; echo 3 > SRC/a; echo 4 > src/A`,
  },
  {
    name: "trailing dots and spaces, devices of Windows",
    script: `for n in 'a.' 'a ' ' a' con nul aux 'com1.txt' 'x:y' 'b\\\\c' '...' ' .git'; do echo x > "./$n"; done`,
  },
  ...[".GIT", ".Git", "git~1", ".git ", ".git.", ".git . .", ".git::$INDEX_ALLOCATION", ".g\\u200cit"].map(
    (name) => ({
      name: `a folder called "${name}" that looks like git's own`,
      ends: "gate_rejected",
      script: `n=$(printf '%b' '${name.replace("\\u200c", "\\342\\200\\214")}'); mkdir "./$n"; mkdir "./$n/hooks"; echo x > "./$n/config"; echo x > "./$n/hooks/pre-commit"`,
    }),
  ),
  {
    name: "pipes, sockets and devices",
    script: `mkfifo pipe; mkdir d; mkfifo d/pipe; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local=>"sock",Listen=>1)'; mknod null c 1 3 2>/dev/null; mknod disk b 8 0 2>/dev/null; true`,
  },
  {
    name: "a pipe in place of a file of git's own, at which whoever reads it waits for good",
    ends: { sandbox: "pushed", guard: "worktree_lost" },
    script: `mkfifo "$(sed 's/^gitdir: //' .git)/MERGE_HEAD"; true`,
  },
  {
    name: "a tracked file replaced by a pipe and a folder",
    ends: "commit_failed",
    script: `rm README.md; mkfifo README.md; rm .gitignore; mkdir .gitignore; echo x > .gitignore/x`,
  },
  {
    name: "a tracked file replaced by a link to itself and links in a circle",
    script: `ln -sf README.md README.md; ln -s b a; ln -s a b; mkdir l; ln -s ../l l/l`,
  },
  {
    name: "a worktree that nobody may read or enter",
    // Root reads it all the same. Other users are told which file it is: nothing of theirs is left out
    // without a word.
    ends: process.getuid?.() === 0 ? "pushed" : "commit_failed",
    script: `mkdir shut; echo x > shut/x; chmod 000 shut; echo y > shut.txt; chmod 000 shut.txt; chmod 500 .`,
  },
  { name: "everything deleted but the honest work", script: `rm -rf README.md .gitignore` },
]);
