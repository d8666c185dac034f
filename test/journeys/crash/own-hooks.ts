/** Gives a repository hooks of its own, of which one changes what is committed and one the message. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Product } from "../../helpers/product.ts";

/** `hooked.txt` gets the line `once`, the message a `Reviewed-by`. The paths of the hooks. */
export async function ownHooks(product: Product): Promise<readonly string[]> {
  await product.configure({ hooks: "run" });
  const hooks = join(product.repository, ".git", "hooks");
  await mkdir(hooks, { recursive: true });
  const [before, message] = [join(hooks, "pre-commit"), join(hooks, "commit-msg")];
  await writeFile(before, "#!/bin/sh\necho once >> hooked.txt; sort -u -o hooked.txt hooked.txt\n");
  // The trailers go with the rest, though a commit is known by them: Tazuna adds them again.
  const replaces = 'head -n 1 "$1" > "$1.new" && mv "$1.new" "$1"';
  await writeFile(message, `#!/bin/sh\n${replaces}; echo 'Reviewed-by: Hook <hook@localhost>' >> "$1"\n`);
  await Promise.all([before, message].map((path) => chmod(path, 0o755)));
  return [before, message];
}
