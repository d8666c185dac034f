/** Opens an address in the person's browser. */
import { exec } from "../../utils/exec.ts";

const WAIT_MS = 5_000;

/** False if there is no desktop to open it on. */
export async function openInBrowser(url: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const argv = argvFor(url, env);
  if (argv === null) return false;
  const ended = await exec(argv, { cwd: "/", env, timeoutMs: WAIT_MS, maxOutputBytes: 1024 });
  return ended.started && ended.code === 0;
}

function argvFor(url: string, env: Readonly<Record<string, string>>): readonly string[] | null {
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["explorer.exe", url];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open", url] : null;
}
