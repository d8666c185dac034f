/** Finds credentials by a kept set of patterns (secretlint's recommended preset), loaded when there is something to read. */
import { basename, extname } from "node:path";

export interface KnownCredential {
  /** Of which service, such as `github` or `privatekey`. */
  readonly kind: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** In a text of which `path` is the name; nothing of the machine is read. */
export async function findKnownCredentials(text: string, path: string): Promise<readonly KnownCredential[]> {
  loading ??= load();
  const { lintSource, config } = await loading;
  const { messages } = await lintSource({
    source: { content: text, filePath: basename(path), ext: extname(path), contentType: "text" },
    options: { config, noPhysicFilePath: true },
  });
  return messages.map(({ ruleId, range }) => ({
    kind: ruleId.replace(/^.*secretlint-rule-/, ""),
    start: range[0],
    end: range[1],
  }));
}

/** Loads the rules ahead, so that the first run need not wait for them. */
export async function warmKnownCredentials(): Promise<void> {
  await findKnownCredentials("\n", "empty.txt");
}

let loading: ReturnType<typeof load> | undefined;

/** Comments that switch rules off are one of the preset's rules: an agent could write them too. */
const OBEYS_COMMENTS = "@secretlint/secretlint-rule-filter-comments";

async function load() {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It would keep a mark of every rule on every file, for as long as the engine lives.
  secretLintProfiler.setEnabled(false);
  const obeyed = rules.filter(({ meta }) => meta.id !== OBEYS_COMMENTS);
  return { lintSource, config: { rules: obeyed.map((rule) => ({ id: rule.meta.id, rule })) } };
}
