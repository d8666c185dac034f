/** Starts programs as those of a user whom the modes of files bind: root is told nothing by them. */

const isRoot = process.getuid?.() === 0;
const CAPABILITIES = "-dac_override,-dac_read_search";
const setpriv = Bun.which("setpriv");

/** In front of a command; null if root cannot give up its right. */
export const asMortal: readonly string[] | null = !isRoot
  ? []
  : setpriv === null
    ? null
    : [setpriv, `--inh-caps=${CAPABILITIES}`, `--bounding-set=${CAPABILITIES}`];

/** Behind a test's title. */
export const skippedAsRoot =
  asMortal === null ? " (skipped: root has no setpriv: apt-get install util-linux)" : "";
